from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from search_core.domain import ResearchEnded, ResearchRequest, ResearchStatus
from search_core.errors import StorageError
from search_core.research import ResearchService
from search_core.research.workflow import MAX_ATTEMPTS
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.hostile.failing_disk import FailingDisk
from tests.search_core.research.acting import QUESTION, REPORT, SUBTASKS, Actors, followed
from tests.search_core.research.workers import wait_until

ASKED = ResearchRequest(question=QUESTION)
WRITING, SEARCHING = "write 2", f"search {SUBTASKS[1]}"


@pytest.fixture
def disk() -> Iterator[FailingDisk]:
    with FailingDisk().mounted() as mounted:
        yield mounted
        mounted.full = False


@pytest.fixture
def address(tmp_path: Path) -> Path:
    return tmp_path / "maekrak.sqlite"


@pytest.fixture
def actors() -> Actors:
    return Actors()


@pytest.fixture
def desk(disk: FailingDisk, address: Path, actors: Actors) -> Iterator[ResearchService]:
    loop = LoopThread()
    database = Database(address)
    opened = ResearchService(actors.parts(), database, loop)
    yield opened
    disk.full = False
    actors.release(*actors.holds)
    opened.close()
    loop.close()
    database.close()


@pytest.mark.parametrize("point", [SEARCHING, WRITING])
def test_a_run_goes_on_by_itself_when_there_is_room_again(
    point: str, desk: ResearchService, actors: Actors, disk: FailingDisk, caplog: pytest.LogCaptureFixture
):
    """A disk that fills up while a run searches or writes costs it time alone: with room again it completes without a restart."""
    actors.holds.add(point)
    run = desk.start(ASKED)
    actors.wait_held(point)
    disk.full = True
    actors.release(point)
    wait_until(lambda: "for its database" in caplog.text)
    assert not desk.get(run.id, "").status.ended
    disk.full = False
    assert isinstance(followed(desk, run.id)[-1], ResearchEnded)
    done = desk.get(run.id, "")
    assert (done.status, done.report, done.failures) == (ResearchStatus.COMPLETE, REPORT, ())


@pytest.mark.parametrize("point", [SEARCHING, WRITING])
def test_stop_stops_while_the_disk_is_full(point: str, desk: ResearchService, actors: Actors, disk: FailingDisk, address: Path):
    """Stopping needs no room: nothing is in flight any more, readers see the end, and with room again it is saved."""
    actors.holds.add(point)
    run = desk.start(ASKED)
    actors.wait_held(point)
    disk.full = True
    desk.cancel(run.id, "")
    actors.wait_idle()
    assert desk.get(run.id, "").status is ResearchStatus.STOPPED
    assert "저장소에 쓸 수 없는 동안" in desk.get(run.id, "").failures[-1].korean
    assert [entry.status for entry in desk.list("")] == [ResearchStatus.STOPPED]
    assert _saved_status(address) != "stopped"
    disk.full = False
    wait_until(lambda: _saved_status(address) == "stopped")


def test_what_cannot_be_obeyed_without_room_says_so(desk: ResearchService, actors: Actors, disk: FailingDisk):
    """Neither a new run nor an early finish is taken while nothing can be written; the sentence names the disk."""
    actors.holds.add(SEARCHING)
    run = desk.start(ASKED)
    actors.wait_held(SEARCHING)
    disk.full = True
    with pytest.raises(StorageError) as refused:
        desk.finish(run.id, "")
    assert "디스크에 남은 공간이 없어요" in refused.value.korean
    with pytest.raises(StorageError):
        desk.start(ASKED)
    assert [entry.id for entry in desk.list("")] == [run.id]


@pytest.mark.parametrize("status", ["MAX_RECOVERY_ATTEMPTS_EXCEEDED", "ERROR", "CANCELLED"])
def test_a_run_that_is_not_taken_up_any_more_ends(status: str, desk: ResearchService, actors: Actors, address: Path):
    """A workflow that DBOS has given up ends its run within the life of the process, though nobody reads it."""
    actors.holds.add(WRITING)
    run = desk.start(ASKED)
    actors.wait_held(WRITING)
    _change_workflows(address, status, MAX_ATTEMPTS + 1)
    actors.release(WRITING)
    wait_until(lambda: _saved_status(address) == "failed")
    assert desk.get(run.id, "").status is ResearchStatus.FAILED


def _saved_status(address: Path) -> str:
    return str(_execute(address, "SELECT status FROM research_runs"))


def _change_workflows(address: Path, status: str, attempts: int) -> None:
    _execute(
        address,
        f"UPDATE workflow_status SET status = '{status}', recovery_attempts = {attempts}, owner_xid = NULL RETURNING status",
    )


def _execute(address: Path, statement: str) -> object:
    engine = create_engine(f"sqlite:///{address}")
    try:
        with engine.begin() as connection:
            return connection.execute(text(statement)).scalar()
    finally:
        engine.dispose()
