from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.domain import (
    ContentChunk,
    PlanMade,
    ReportWritten,
    ResearchEnded,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
)
from search_core.research import ResearchService, ResearchUnavailableError
from search_core.research.event_json import decode
from search_core.research.store import ResearchStore
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.search_core.research.acting import ADDRESSES, QUESTION, REPORT, SUBTASKS, Actors, followed
from tests.search_core.research.workers import Worker, calls, wait_kept

POINTS = (
    "plan",
    *(f"search {SUBTASKS[place]}" for place in (0, 2, 4)),
    *(f"page {ADDRESSES[place]}" for place in (0, 3, 6, 9)),
    *(f"write {number}" for number in (0, 1, 3, 4)),
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dying") / "maekrak.sqlite"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal"
    path.touch()
    return path


@pytest.fixture
def restarted(address: Path, journal: Path) -> Iterator[ResearchService]:
    """Return a desk as the next life of a killed process has it; it opens with its first call."""
    loop = LoopThread()
    database = Database(address)
    desk = ResearchService(Actors(journal=journal).parts(), database, loop)
    yield desk
    desk.close()
    loop.close()
    database.close()


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_process_costs_nothing_that_was_done(point: str, address: Path, journal: Path, restarted: ResearchService):
    """After kill -9 and a restart the run completes: nothing that had ended is done again, no event is lost or told twice."""
    with Worker(address, journal, [point]) as worker:
        run_id = worker.start()
        seen = [decode(value) for value in worker.followed_until_held(run_id, point)]
        worker.kill()
    done_before = calls(journal)[1]
    events = followed(restarted, run_id)
    run = restarted.get(run_id, "")
    began, ended = calls(journal)

    assert run.status is ResearchStatus.COMPLETE
    assert run.report == REPORT
    assert {name: began[name] for name in done_before} == dict.fromkeys(done_before, 1)
    assert set(ended) == {"plan", "write", *(f"search {text}" for text in SUBTASKS), *(f"page {url}" for url in ADDRESSES)}
    assert set(ended.values()) == {1}
    assert max(began.values()) <= 2
    assert events[: len(seen)] == seen
    assert _told_once(events)
    assert _folded(run, events) == run


def test_a_killed_report_begins_anew_for_its_readers(address: Path, journal: Path, restarted: ResearchService):
    """The pieces of the attempt that was cut off go when the next one begins; at no time is a piece there twice."""
    with Worker(address, journal, ["write 3"]) as worker:
        run_id = worker.start()
        seen = [decode(value) for value in worker.followed_until_held(run_id, "write 3")]
        worker.kill()
    events = followed(restarted, run_id)
    assert events[: len(seen)] == seen
    begun = [event for event in events if isinstance(event, ContentChunk) and event.begins]
    assert 1 <= len(begun) <= 2
    run = ResearchRun(id="", request=restarted.get(run_id, "").request, created_at=restarted.get(run_id, "").created_at)
    for event in events:
        run = run.after(event)
        assert run.report.count("문장 1이에요") <= 1


def _told_once(events: list[object]) -> bool:
    counted = Counter(type(event) for event in events)
    expected = {PlanMade: 1, SourcesUpdated: 5, SourcesComplete: 1, SourceRead: 20, ReportWritten: 1, ResearchEnded: 1}
    return {kind: counted[kind] for kind in expected} == expected


def _folded(run: ResearchRun, events: list[object]) -> ResearchRun:
    folded = ResearchRun(id=run.id, request=run.request, created_at=run.created_at)
    for event in events:
        folded = folded.after(event)
    return folded


def test_a_process_that_closes_leaves_its_runs_to_the_next(address: Path, journal: Path, restarted: ResearchService):
    """Closing does not wait for what is under way; the next process goes on with it, without doing anything twice."""
    held = f"search {SUBTASKS[3]}"
    actors = Actors(journal=journal, holds={held})
    loop = LoopThread()
    desk = ResearchService(actors.parts(), Database(address), loop)
    run = desk.start(ResearchRequest(question=QUESTION))
    actors.wait_held(held)
    wait_kept(desk, run.id, journal, held)
    desk.close()
    desk.close()
    loop.close()
    actors.wait_idle()
    with pytest.raises(ResearchUnavailableError):
        desk.events(run.id, "")
    before = calls(journal)[1]
    followed(restarted, run.id)
    assert restarted.get(run.id, "").report == REPORT
    assert {name: calls(journal)[1][name] for name in before} == dict.fromkeys(before, 1)


def test_a_run_that_never_came_into_the_queue_is_put_there(address: Path, restarted: ResearchService):
    """Between keeping a run and starting it a process may die; the next one that looks starts it."""
    run = ResearchStore(Database(address)).create(ResearchRequest(question=QUESTION))
    followed(restarted, run.id)
    assert restarted.get(run.id, "").status is ResearchStatus.COMPLETE
