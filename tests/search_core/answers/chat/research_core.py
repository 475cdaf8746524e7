"""The real core in a played world, library and samples on, whose language model plans and writes by a script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from search_core.core import SearchCore
from search_core.domain import Question, ResearchRequest, ResearchRun
from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole, saying
from tests.loopback.world import World
from tests.search_core.whole_core import build_core

QUESTION = "HBM4의 대역폭은 얼마인가?"
PARTS = ("HBM4 대역폭 규격은 얼마인가?", "HBM4 양산은 언제 시작되는가?")
SUMMARY = "HBM4의 대역폭은 초당 2테라바이트예요"
REPORT = f"{SUMMARY} [1].\n\n## {PARTS[0]}\n\n규격이 정해졌어요 [2]."


def model(asked: Asked) -> Whole | Stream:
    """Take a question apart into two parts, write a report with two citations, and answer all else in one sentence."""
    if "Decompose the question" in asked.prompt:
        return saying(json.dumps(PARTS, ensure_ascii=False))(asked)
    return saying(REPORT if PARTS[0] in asked.prompt else "영상에서 그렇게 말했어요 [03:08].")(asked)


@contextmanager
def real_core(folder: Path, world: World, endpoint: LanguageModelServer) -> Iterator[SearchCore]:
    """Lend a core that is warm."""
    with closing(build_core(world, folder, endpoint, search_providers="library,searxng")) as core:
        core.search(Question(text="메모리 대역폭은 왜 중요한가?"))
        yield core


def start_run(core: SearchCore, conversation_id: str, question: str = QUESTION, **more: Any) -> ResearchRun:
    """Begin research in a conversation, as scripts and doors do."""
    return core.research.start(ResearchRequest(question=question, conversation_id=conversation_id, **more))


def wait_until_ended(core: SearchCore, run: ResearchRun) -> ResearchRun:
    """Return a run when it has ended."""
    owner = run.request.owner
    for _ in core.research.events(run.id, owner):
        pass
    return core.research.get(run.id, owner)
