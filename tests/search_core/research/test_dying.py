from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from search_core.domain.research import (
    ContentChunk,
    PlanMade,
    ReportWritten,
    ResearchEnded,
    ResearchRun,
    ResearchStatus,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
)
from search_core.research.service import ResearchService
from search_core.research.store import ResearchStore
from search_core.runs.run_workflow import MAX_ATTEMPTS
from search_core.storage.database import Database
from tests.search_core.research.acting import ADDRESSES, ASKED, REPORT, SUBTASKS, Actors, ended, folded, followed, open_research
from tests.search_core.research.workers import Worker, calls, kill_held, sql

ONCE = {PlanMade: 1, SourcesUpdated: 5, SourcesComplete: 1, SourceRead: 20, ReportWritten: 1, ResearchEnded: 1}


@pytest.fixture
def restarted(folder: Path, journal: Path) -> Iterator[ResearchService]:
    """Yield the service of the process after a killed one; it opens with its first call."""
    with open_research(folder / "maekrak.sqlite", Actors(journal=journal).parts()) as service:
        yield service


@pytest.mark.parametrize("point", [f"search {SUBTASKS[2]}", "write 3"])
def test_a_killed_process_loses_nothing_that_was_done(point: str, folder: Path, journal: Path, restarted: ResearchService):
    """After kill -9 the next process completes the run: no call is repeated, no event or piece of the report comes twice."""
    with Worker(folder / "maekrak.sqlite", journal, [point]) as worker:
        run_id = worker.start()
        seen = worker.followed_until_held(run_id, point)
        worker.kill()
    done_before = calls(journal)[1]
    events = followed(restarted, run_id)
    run = restarted.get(run_id, "")
    began, finished = calls(journal)
    assert (run.status, run.report) == (ResearchStatus.COMPLETE, REPORT)
    assert {name: began[name] for name in done_before} == dict.fromkeys(done_before, 1)
    assert set(finished) == {"plan", "write", *(f"search {text}" for text in SUBTASKS), *(f"page {url}" for url in ADDRESSES)}
    assert set(finished.values()) == {1}
    assert max(began.values()) <= 2
    assert events[: len(seen)] == seen
    counted = Counter(type(event) for event in events)
    assert {kind: counted[kind] for kind in ONCE} == ONCE
    assert folded(run, events) == run
    assert 1 <= sum(isinstance(event, ContentChunk) and event.begins for event in events) <= 2
    growing = ResearchRun(id="", request=run.request, created_at=run.created_at)
    for event in events:
        growing = growing.after(event)
        assert growing.report.count("문장 1이에요") <= 1


def test_a_run_that_never_came_into_the_queue_is_put_there(folder: Path, restarted: ResearchService):
    """A run of a process that died between storing it and queueing it is started by the next process."""
    with closing(Database(folder / "maekrak.sqlite")) as database:
        run = ResearchStore(database).create(ASKED)
    assert ended(restarted, run.id).status is ResearchStatus.COMPLETE


def test_a_run_that_has_ended_many_processes_is_given_to_no_other(folder: Path, journal: Path, restarted: ResearchService):
    """A question that freezes or kills whoever works on it would do so after each restart: the run ends, and says why."""
    run_id = kill_held(folder, "plan")
    sql(folder / "maekrak.sqlite", f"UPDATE workflow_status SET recovery_attempts = {MAX_ATTEMPTS + 1}")
    events = followed(restarted, run_id)
    run = restarted.get(run_id, "")
    assert (run.status, [failure.kind for failure in run.failures]) == (ResearchStatus.FAILED, ["Interrupted"])
    assert isinstance(events[-1], ResearchEnded)
    assert not calls(journal)[0]
