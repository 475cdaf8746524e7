"""What research sends to a language model of the documents in the library, and what the report says of them, by the real core."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from search_core.core import SearchCore
from search_core.domain import ResearchRequest, ResearchRun, ResearchStatus
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.world import World
from tests.search_core.whole_core import build_core

SECRET = "청람프로젝트"
QUESTION = "한빛전자 새 메모리의 대역폭은 얼마인가요?"
DOCUMENT = f"# {SECRET} 한빛전자 메모리 대역폭\n\n한빛전자 새 메모리의 대역폭은 {SECRET} 시험에서 초당 3테라바이트였다.\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    (folder / "docs").mkdir()
    (folder / "docs/secret.md").write_text(DOCUMENT, encoding="utf-8")
    return folder


@contextmanager
def research(world: World, model: LanguageModelServer, folder: Path, **changes: Any) -> Iterator[SearchCore]:
    settings = {"search_providers": "library,searxng", "web_search_cache_ttl": 0, **changes}
    with closing(build_core(world, folder, model, **settings)) as core:
        core.index([folder / "docs"])
        model.asked.clear()
        yield core


def researched(core: SearchCore) -> ResearchRun:
    started = core.research.start(ResearchRequest(question=QUESTION))
    for _ in core.research.events(started.id, ""):
        pass
    return core.research.get(started.id, "")


def sent(model: LanguageModelServer) -> str:
    assert model.asked
    return "\n".join(asked.prompt for asked in model.asked)


def test_documents_stay_here_where_they_may_not_be_sent(world: World, model: LanguageModelServer, folder: Path):
    """Neither the plan nor the report's prompt holds a word of them; what they say is quoted under a heading of their own."""
    with research(world, model, folder, openai_own_documents="never") as core:
        run = researched(core)
    assert (run.status, run.by_model, run.own_sent) == (ResearchStatus.COMPLETE, True, False)
    assert SECRET not in sent(model)
    head, _, own = run.report.partition("## 내 자료에서")
    assert SECRET not in head
    assert f"대역폭은 {SECRET} 시험에서 초당 3테라바이트였다." in own
    [document] = [source for source in run.sources if source.collection == "user"]
    assert f"> 웹이 아니라 내 자료예요: [{document.number}]" in own
    assert document.number > max(source.number for source in run.sources if not source.own)
    assert "내 자료" not in run.domains
    assert any("웹 출처로 세지 않았어요" in line for line in run.coverage)


def test_documents_go_where_they_may(world: World, model: LanguageModelServer, folder: Path):
    """The prompt marks them as the user's, the report as not of the web."""
    with research(world, model, folder, openai_own_documents="always") as core:
        run = researched(core)
    assert f"내 자료: {SECRET}" in sent(model)
    assert run.own_sent is True
    [document] = [source for source in run.sources if source.collection == "user"]
    assert f"> 웹이 아니라 내 자료예요: [{document.number}]" in run.report
