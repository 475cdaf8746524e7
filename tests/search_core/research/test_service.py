from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from search_core.domain.reply import SearchStatus
from search_core.domain.research import (
    ContentChunk,
    PlanMade,
    PlanOrigin,
    ReportWritten,
    ResearchEnded,
    ResearchRequest,
    ResearchStatus,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
    StatusChanged,
    SubtaskPlanned,
    SubtaskState,
)
from search_core.domain.video import VideoContext, video_key
from search_core.errors import PageFailure, PageReadError, QuestionError
from search_core.research.service import ResearchService
from search_core.runs.run_kind import RunNotFoundError
from search_core.runtime import Recent
from tests.search_core.research.acting import (
    ADDRESSES,
    ASKED,
    PAGE_OF,
    QUESTION,
    REPORT,
    SUBTASKS,
    Actors,
    completed,
    folded,
    followed,
    until,
)
from tests.search_core.research.conftest import FETCHES_AT_ONCE


def test_a_run_publishes_every_step_in_order(service: ResearchService):
    """Plan, searches, sources, pages and report come in this order, each once, and make the run that is stored."""
    run = service.start(ASKED)
    assert run.status is ResearchStatus.QUEUED
    events = followed(service, run.id)
    assert Counter(type(event) for event in events if not isinstance(event, ContentChunk)) == {
        StatusChanged: 4,
        SubtaskPlanned: 10,
        PlanMade: 1,
        SourcesUpdated: 5,
        SourcesComplete: 1,
        SourceRead: 20,
        ReportWritten: 1,
        ResearchEnded: 1,
    }
    kinds = [type(event) for event in events]
    last = {kind: len(kinds) - 1 - kinds[::-1].index(kind) for kind in kinds}
    assert kinds.index(PlanMade) < kinds.index(SourcesUpdated) <= last[SourcesUpdated] < kinds.index(SourcesComplete)
    assert kinds.index(SourcesUpdated) < kinds.index(SourceRead) <= last[SourceRead] < kinds.index(ContentChunk)
    assert last[ContentChunk] < kinds.index(ReportWritten) < kinds.index(ResearchEnded) == len(kinds) - 1
    statuses = [event.status.value for event in events if isinstance(event, StatusChanged)]
    assert statuses == ["planning", "searching", "reading", "writing"]
    assert "".join(event.text for event in events if isinstance(event, ContentChunk)) == REPORT
    stored = service.get(run.id, "")
    assert stored == folded(run, events)
    assert (stored.status, stored.report, stored.unanswered) == (ResearchStatus.COMPLETE, REPORT, ())
    assert {source.url for source in stored.sources if source.read} == set(ADDRESSES)
    assert stored.metrics.total_ms > 0
    assert stored.ended_at is not None


def test_pages_are_read_while_others_are_searched_for(service: ResearchService, actors: Actors):
    """A page is read as soon as its address is known, and that is published at once."""
    search, page = f"search {SUBTASKS[4]}", f"page {ADDRESSES[0]}"
    actors.holds.update((search, page))
    run = service.start(ASKED)
    actors.wait_held(search, page)
    actors.release(page)
    sources = (event.source for _, event in service.events(run.id, "") if isinstance(event, SourceRead))
    ended = next(source for source in sources if source.url == ADDRESSES[0] and source.read)
    assert (ended.number, ended.title) == (0, "가격 전망에 관한 1번째 글")
    assert ended.publish_date == PAGE_OF  # the service had none
    assert ended.url in {source.url for source in service.get(run.id, "").opened}
    assert actors.began["write"] == 0
    actors.release(search)
    followed(service, run.id)
    assert actors.began[page] == 1


def test_pages_are_read_a_few_at_a_time(service: ResearchService, actors: Actors):
    """No more than so many pages are read at once, however many addresses are known."""
    actors.holds.update(f"page {url}" for url in ADDRESSES)
    run = service.start(ASKED)
    until(service, run.id, SourcesComplete)
    actors.release(*actors.holds)
    followed(service, run.id)
    assert actors.at_most == FETCHES_AT_ONCE


def test_failed_searches_and_pages_cost_only_their_own_part(service: ResearchService, actors: Actors):
    """A run with three failed searches and three failed pages completes and names each failure and its reason."""
    actors.fails = {
        f"search {SUBTASKS[0]}": SearchStatus.TIMEOUT,
        f"search {SUBTASKS[1]}": SearchStatus.NETWORK_ERROR,
        f"search {SUBTASKS[2]}": ZeroDivisionError("surprise"),
        "page https://d.example/1": PageReadError(PageFailure.BLOCKED, "403", korean="막혀 있어요."),
        "page https://d.example/2": PageReadError(PageFailure.TIMEOUT, "slow", korean="늦어요."),
        "page https://e.example/1": ZeroDivisionError("surprise"),
    }
    run = completed(service)
    assert (run.status, run.report, run.failures) == (ResearchStatus.COMPLETE, REPORT, ())
    assert [subtask.state for subtask in run.plan] == [SubtaskState.FAILED] * 3 + [SubtaskState.DONE] * 2
    assert run.unanswered == (1, 2, 3)
    assert {source.url: source.failure for source in run.sources} == {
        "https://d.example/1": "blocked",
        "https://d.example/2": "timeout",
        "https://e.example/1": "unreadable",
        "https://e.example/2": "",
    }


@pytest.mark.parametrize(
    ("status", "ends", "report"),
    [
        (SearchStatus.NETWORK_ERROR, ResearchStatus.FAILED, ""),
        (SearchStatus.NO_RESULTS, ResearchStatus.COMPLETE, "질문과 관련된 자료를 찾지 못해서"),
    ],
)
def test_finding_nothing_is_not_failing(
    service: ResearchService, actors: Actors, status: SearchStatus, ends: ResearchStatus, report: str
):
    """A run whose searches found nothing completes and says so; one that could search nowhere fails and says what to try."""
    actors.fails = {f"search {text}": status for text in SUBTASKS}
    run = completed(service)
    assert (run.status, run.unanswered, actors.began["write"]) == (ends, (1, 2, 3, 4, 5), 0)
    assert run.report.startswith(report)
    assert bool(run.report) == bool(report)
    failed = ends is ResearchStatus.FAILED
    assert [failure.kind for failure in run.failures] == ["Search failed"] * failed
    assert all("network" in failure.description and "다시 시도" in failure.korean for failure in run.failures)
    assert run.message == ends.ending


def test_a_plan_and_a_report_that_break_cost_only_themselves(service: ResearchService, actors: Actors):
    """The question itself is searched for; the run fails by its type, and half a report stays; each failure says what broke."""
    actors.fails = {"plan": ZeroDivisionError("surprise"), "write 2": ZeroDivisionError("surprise")}
    run = completed(service)
    assert [(subtask.text, subtask.origin, subtask.state) for subtask in run.plan] == [
        (QUESTION, PlanOrigin.RULES, SubtaskState.DONE)
    ]
    assert run.status is ResearchStatus.FAILED
    assert [failure.kind for failure in run.failures] == ["ZeroDivisionError"] * 2
    assert "decomposed" in run.failures[0].description
    assert run.report == "문장 1이에요 [1]. 문장 2이에요 [2]. "
    assert run.plan_note
    assert run.report_note
    assert len(run.sources) == 2


def test_runs_belong_to_their_owners(service: ResearchService):
    """A run of another owner is no different from none, and nobody can start an empty question or one before the video."""
    run = completed(service, replace(ASKED, owner="민지"))
    for wrong in ({"question": "  "}, {"moment_s": -1.0}):
        with pytest.raises(QuestionError):
            service.start(replace(ASKED, owner="준호", **wrong))
    assert service.list("준호") == ()
    for ask in (
        service.get,
        service.cancel,
        service.finish,
        service.resume,
        service.agree,
        service.delete,
        service.events,
    ):
        with pytest.raises(RunNotFoundError):
            ask(run.id, "준호")
    assert service.get(run.id, "민지") == run


def test_the_history_lists_the_runs_of_an_owner(service: ResearchService):
    """Newest first, with the conversation that each was begun in; a deleted run is gone."""
    video = VideoContext(title="강연", video_id="abc")
    asked = ResearchRequest(question="첫째 질문인가요?", owner="서연", video=video, conversation_id="c-1")
    first = completed(service, asked)
    second = completed(service, ResearchRequest(question="둘째?", owner="서연"))
    assert [(entry.question, entry.video_key, entry.conversation) for entry in service.list("서연")] == [
        ("둘째?", "", ""),
        ("첫째 질문인가요?", video_key(video), "c-1"),
    ]
    service.delete(first.id, "서연")
    assert [entry.id for entry in service.list("서연")] == [second.id]
    with pytest.raises(RunNotFoundError):
        service.get(first.id, "서연")


def test_a_stored_run_reopens_when_the_streams_are_gone(service: ResearchService, folder: Path):
    """What DBOS stored may be deleted: the run is the same, and whoever follows it is told its end."""
    run = completed(service)
    engine = create_engine(f"sqlite:///{folder / 'maekrak.sqlite'}")
    with engine.begin() as connection:
        for table in ("streams", "operation_outputs", "workflow_status"):
            connection.execute(text(f"DELETE FROM {table} WHERE workflow_uuid LIKE '{run.id}%'"))
    engine.dispose()
    service._subscriptions = Recent(1)
    assert service.get(run.id, "") == run
    assert followed(service, run.id) == [run.last_event]
