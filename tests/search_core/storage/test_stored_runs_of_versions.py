"""A data folder as the release 0.4.0 left it: a conversation, runs of both kinds, one that waits, events.

The rows were written by that version's code, over played services.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from search_core.core import SearchCore
from search_core.domain.claim import ClaimsRun, ClaimsStatus, ClaimState
from search_core.domain.conversation import MessageState
from search_core.domain.research import ResearchRun, ResearchStatus
from search_core.settings import Settings
from search_core.storage.event_log import SqliteEventLog

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
ROWS = Path(__file__).with_name("written_by_0_4_0")
QUESTION = "HBM4 표준의 대역폭은 얼마인가요?"
NOBODY = ""
"""The owner of what an installation without logins keeps."""


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchCore]:
    folder = tmp_path_factory.mktemp("stored") / "data"
    folder.mkdir()
    for rows in ROWS.glob("*.sql"):
        with closing(sqlite3.connect(folder / f"{rows.stem}.sqlite")) as file:
            file.executescript(rows.read_text(encoding="utf-8"))
    quiet = {"embedding_model": "kiwi", "search_providers": "library", "library_samples": False}
    with closing(SearchCore.from_settings(Settings(maekrak_data_dir=folder, research_works_here=False, **quiet))) as core:
        yield core


def test_the_conversation_opens_with_its_answer_its_check_and_its_run(core: SearchCore):
    """The messages are there in their order, each as it ended, the run with its report."""
    (entry,) = core.chat.conversations(NOBODY)
    conversation = core.chat.open(entry.id, NOBODY)
    assert entry.title == QUESTION
    assert conversation.video is not None
    assert len(conversation.video.transcript) == 3
    kinds = [message.kind.value for message in conversation.messages]
    assert kinds == ["question", "answer", "question", "check", "question", "research"]
    assert {message.state for message in conversation.messages} == {MessageState.COMPLETE}
    _, answer, _, check, _, research = conversation.messages
    assert answer.record is not None
    assert answer.record.moments
    assert check.record is not None
    assert check.record.sources
    assert research.research is not None
    assert "\n## 요약\n" in research.research.report


@pytest.mark.parametrize(
    ("kind", "begin", "statuses"),
    [
        ("research", ResearchRun.begin, {ResearchStatus.COMPLETE, ResearchStatus.PLANNED}),
        ("claims", ClaimsRun.begin, {ClaimsStatus.COMPLETE, ClaimsStatus.STOPPED}),
    ],
)
def test_runs_open_with_their_events(core: SearchCore, kind: str, begin: Callable[..., Any], statuses: set[Any]):
    """The complete run folds from its stored events as it was saved; the other one has what it had."""
    service = getattr(core, kind)
    runs = {entry.status: service.get(entry.id, NOBODY) for entry in service.list(NOBODY)}
    assert set(runs) == statuses
    run = next(run for status, run in runs.items() if status.value == "complete")
    again = begin(run.id, run.request, run.created_at)
    for _, event in service.events(run.id, NOBODY):
        again = again.after(event)
    assert again == run
    if kind == "research":
        assert run.sources
        assert runs[ResearchStatus.PLANNED].plan
    else:
        assert ClaimState.LEFT_OUT in [check.state for check in runs[ClaimsStatus.STOPPED].checks]


def test_a_stored_run_goes_on(core: SearchCore):
    """A stopped check can be resumed with its claims and its video, or begun anew, and waits for a process that works."""
    stopped = next(entry for entry in core.claims.list(NOBODY) if entry.status is ClaimsStatus.STOPPED)
    begun = core.claims.resume(stopped.id, NOBODY)
    assert (begun.id, begun.status) == (stopped.id, ClaimsStatus.QUEUED)
    assert len(begun.request.claims) == 2
    core.claims.cancel(begun.id, NOBODY)
    again = core.claims.start(begun.request)
    assert core.claims.list(NOBODY)[0].id == again.id
    core.claims.cancel(again.id, NOBODY)


def test_the_events_of_searches_are_read(core: SearchCore):
    """The log has the requests that were written down, as old as they are."""
    with closing(SqliteEventLog(core.settings.maekrak_data_dir / "events.sqlite")) as log:
        assert {event.provider for event in log.recent(LONG_AGO, 1000)} >= {"wikipedia", "tavily", "brave"}
