"""Research in conversations: its place, what is remembered and exported, and runs that cannot be read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from search_core.answers.chat.chat import DELETED, with_runs
from search_core.answers.chat.conversation_text import markdown_file
from search_core.answers.chat.memory import memory_of
from search_core.domain.conversation import Conversation, ConversationEntry, MessageKind, MessageState, research_messages
from search_core.domain.research import ResearchRequest, ResearchRun, ResearchStatus
from search_core.errors import MaekrakError, StorageError
from search_core.runs.run_kind import RunNotFoundError
from tests.search_core.answers.chat.scripted_chat import ME, NOW, SOON_S, Script, from_video, open_chat, open_store

REQUEST = ResearchRequest(question="HBM4의 대역폭은 얼마인가?")
RUN = ResearchRun(id="r", request=REQUEST, status=ResearchStatus.SEARCHING, created_at=NOW)


def test_research_stands_in_its_conversation_where_it_was_asked(tmp_path: Path):
    """A run is running and then whole; the next question knows its report without numbers, and the file has all of it."""
    runs, answers = {"r": RUN}, Script(*from_video("네."))
    parts = {"load_run": lambda run_id, _: runs[run_id], "run_text": lambda run: f"#### 보고서\n\n{run.report}"}
    with open_chat(tmp_path, answers, **parts) as chat:
        entry = chat.new(ME)
        open_store(tmp_path).put(entry.id, ME, *research_messages("r", REQUEST, NOW))
        assert chat.open(entry.id, ME).messages[1].state is MessageState.RUNNING
        runs["r"] = replace(RUN, status=ResearchStatus.COMPLETE, report="초당 2테라바이트예요 [1].")
        assert chat.ask(entry.id, ME, "그건 왜 그렇게 빨라?").wait(SOON_S)
        question, card, *_ = chat.open(entry.id, ME).messages
        lines = chat.export(entry.id, ME).decode().splitlines()
    assert (question.text, card.kind, card.about) == (REQUEST.question, MessageKind.RESEARCH, question.id)
    assert (card.state, card.research) == (MessageState.COMPLETE, runs["r"])
    [asked] = answers.questions
    assert [(turn.question, turn.answer) for turn in asked.memory.turns] == [(REQUEST.question, "초당 2테라바이트예요.")]
    start = lines.index("### 깊이 조사")
    assert lines[start - 2] == r"## 1\. HBM4의 대역폭은 얼마인가?"
    assert lines[start + 2 : start + 5] == ["#### 보고서", "", "초당 2테라바이트예요 [1]."]


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
    conversation = Conversation(entry=entry, video=None, messages=research_messages("r", REQUEST, NOW))
    found = with_runs(conversation, load)
    question, card = found.messages
    assert question == conversation.messages[0]
    assert (card.state, card.research, card.missing) == (MessageState.FAILED, None, missing)
    assert missing in markdown_file(found).decode().replace("\\", "")
    assert [turn.answer for turn in memory_of(found.messages).turns] == [""]
