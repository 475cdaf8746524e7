"""Research in conversations, over the real core: its place, what is remembered and exported, and deleted or stopped runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from search_core.answers.chat.chat import DELETED, with_runs
from search_core.answers.chat.conversation_text import markdown_file
from search_core.answers.chat.memory import memory_of
from search_core.core import SearchCore
from search_core.domain.conversation import Conversation, ConversationEntry, MessageKind, MessageState, research_messages
from search_core.domain.report import Question
from search_core.domain.research import ResearchRequest, ResearchRun
from search_core.errors import MaekrakError, StorageError
from search_core.research.evidence import WEB_SNIPPETS_ONLY
from search_core.runs.run_kind import RunNotFoundError
from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole, saying
from tests.loopback.world import World
from tests.search_core.answers.chat.scripted_chat import NOW, SOON_S
from tests.search_core.whole_core import build_core

QUESTION = "HBM4의 대역폭은 얼마인가?"
PARTS = ("HBM4 대역폭 규격은 얼마인가?", "HBM4 양산은 언제 시작되는가?")
SUMMARY = "HBM4의 대역폭은 초당 2테라바이트예요"
REPORT = f"{SUMMARY} [1].\n\n## {PARTS[0]}\n\n규격이 정해졌어요 [2]."
KINDS = [MessageKind.QUESTION, MessageKind.ANSWER]
RESEARCHED = [MessageKind.QUESTION, MessageKind.RESEARCH]


def model(asked: Asked) -> Whole | Stream:
    """Take a question apart into two parts, write a report with two citations, and answer all else in one sentence."""
    if "Decompose the question" in asked.prompt:
        return saying(json.dumps(PARTS, ensure_ascii=False))(asked)
    return saying(REPORT if PARTS[0] in asked.prompt else "영상에서 그렇게 말했어요 [03:08].")(asked)


def start_run(core: SearchCore, conversation_id: str, **more: Any) -> ResearchRun:
    """Begin research in a conversation, as scripts and doors do."""
    return core.research.start(ResearchRequest(question=QUESTION, conversation_id=conversation_id, **more))


def wait_until_ended(core: SearchCore, run: ResearchRun) -> ResearchRun:
    """Return a run when it has ended."""
    owner = run.request.owner
    for _ in core.research.events(run.id, owner):
        pass
    return core.research.get(run.id, owner)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[LanguageModelServer]:
    with LanguageModelServer(model) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def core(folder: Path, world: World, endpoint: LanguageModelServer) -> Iterator[SearchCore]:
    """Lend a core that is warm."""
    with closing(build_core(world, folder, endpoint, search_providers="library,searxng")) as core:
        core.search(Question(text="메모리 대역폭은 왜 중요한가?"))
        yield core


def asked(core: SearchCore, conversation_id: str, text: str) -> None:
    assert core.chat.ask(conversation_id, "", text).wait(SOON_S)


def kinds(conversation: Conversation) -> list[MessageKind]:
    return [message.kind for message in conversation.messages]


def test_research_stands_in_its_conversation_where_it_was_asked(
    core: SearchCore, folder: Path, world: World, endpoint: LanguageModelServer
):
    """Question and run stand between the messages before and after, running and then whole, for other processes, too.

    The next question knows the report without the numbers of its sources, and the export holds all of the run.
    """
    entry = core.chat.new("", core.samples()[0])
    asked(core, entry.id, "메모리 장벽이 뭐야?")
    endpoint.released.clear()
    run = start_run(core, entry.id)
    live = core.chat.open(entry.id, "").messages
    assert [(message.kind, message.state, message.text) for message in live[2:]] == [
        (MessageKind.QUESTION, MessageState.COMPLETE, QUESTION),
        (MessageKind.RESEARCH, MessageState.RUNNING, ""),
    ]
    endpoint.released.set()
    run = wait_until_ended(core, run)
    endpoint.asked.clear()
    asked(core, entry.id, "그건 왜 그렇게 빨라?")
    prompts = [each.prompt for each in endpoint.asked if "그건 왜 그렇게 빨라?" in each.prompt]
    assert any(QUESTION in prompt and f"{SUMMARY}." in prompt for prompt in prompts)
    assert not any(f"{SUMMARY} [1]" in prompt for prompt in prompts)

    whole = core.chat.open(entry.id, "")
    assert kinds(whole) == [*KINDS, *RESEARCHED, *KINDS]
    card = whole.messages[3]
    assert (card.id, card.about, card.state) == (run.id, whole.messages[2].id, MessageState.COMPLETE)
    assert card.research is not None
    assert [part.text for part in card.research.plan] == list(PARTS)
    assert card.research.report == f"{WEB_SNIPPETS_ONLY}\n\n{REPORT}"
    assert card.research.sources
    with closing(build_core(world, folder, endpoint, search_providers="library,searxng")) as other:
        assert other.chat.open(entry.id, "") == whole

    lines = core.chat.export(entry.id, "").decode().splitlines()
    start = lines.index("### 깊이 조사")
    assert lines[start - 2] == r"## 2\. HBM4의 대역폭은 얼마인가?"
    assert {"#### 조사 계획", "#### 보고서", "#### 출처"} <= set(lines[start:])
    first = next(source.url for source in run.sources if source.number == 1)
    assert any(line.startswith(rf"{SUMMARY} [\[1\]]({first})") for line in lines)


@pytest.mark.parametrize(
    ("error", "missing"),
    [
        (RunNotFoundError("gone", korean="없어요."), DELETED),
        (StorageError("away", korean="저장소에 연결하지 못했어요."), "저장소에 연결하지 못했어요."),
    ],
)
def test_research_that_cannot_be_read_says_why(error: MaekrakError, missing: str):
    """One that was deleted, too: the rest of the conversation is there, no turn remembers the run, and the file says so."""

    def load(run_id: str, owner: str) -> ResearchRun:
        raise error

    entry = ConversationEntry(
        id="c", owner="", title="", video_key="", video_title="", created_at=NOW, updated_at=NOW, messages=2
    )
    conversation = Conversation(entry=entry, video=None, messages=research_messages("r", ResearchRequest(question=QUESTION), NOW))
    found = with_runs(conversation, load)
    question, card = found.messages
    assert question == conversation.messages[0]
    assert (card.state, card.research, card.missing) == (MessageState.FAILED, None, missing)
    assert missing in markdown_file(found).decode().replace("\\", "")
    assert [turn.answer for turn in memory_of(found.messages).turns] == [""]
