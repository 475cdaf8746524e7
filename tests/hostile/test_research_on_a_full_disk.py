"""Research on a disk that fills up, as SQLite meets it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import Engine

from search_core.domain.research import ResearchEnded, ResearchRequest, ResearchStatus
from search_core.errors import StorageError
from search_core.research import ResearchService
from search_core.research.workflow import MAX_ATTEMPTS
from tests.search_core.research.acting import QUESTION, REPORT, SUBTASKS, Actors, followed, open_research
from tests.search_core.research.workers import wait_until

_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "BEGIN IMMEDIATE")


class FailingDisk:
    """Takes no writes of SQLite while it is ``full``."""

    full = False

    def execute(self, _: object, statement: str, *__: object) -> None:
        """Raise what SQLite raises of a statement that writes, while the disk is full; SQLAlchemy asks before each."""
        if self.full and statement.lstrip().upper().startswith(_WRITES):
            refused = sqlite3.OperationalError("database or disk is full")
            refused.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise refused


ASKED = ResearchRequest(question=QUESTION)
WRITING, SEARCHING = "write 2", f"search {SUBTASKS[1]}"


@pytest.fixture
def disk() -> Iterator[FailingDisk]:
    """Let all SQLite files lie on a disk that has room."""
    disk = FailingDisk()
    for work in ("do_execute", "do_execute_no_params", "do_executemany"):
        event.listen(Engine, work, disk.execute)
    yield disk
    for work in ("do_execute", "do_execute_no_params", "do_executemany"):
        event.remove(Engine, work, disk.execute)


@pytest.fixture
def address(tmp_path: Path) -> Path:
    return tmp_path / "maekrak.sqlite"


@pytest.fixture
def actors() -> Actors:
    return Actors()


@pytest.fixture
def service(disk: FailingDisk, address: Path, actors: Actors) -> Iterator[ResearchService]:
    """Run research over a database on *disk*, which has room again at the end."""
    with open_research(address, actors.parts()) as service:
        yield service
        disk.full = False
        actors.release(*actors.holds)


def start_held(service: ResearchService, actors: Actors, point: str) -> str:
    """Start a run and return its id when it has come to *point*."""
    actors.holds.add(point)
    run = service.start(ASKED)
    actors.wait_held(point)
    return run.id


def test_a_run_continues_by_itself_when_there_is_room_again(
    service: ResearchService, actors: Actors, disk: FailingDisk, caplog: pytest.LogCaptureFixture
):
    """A disk that fills up while a run writes costs it time alone: with room again it completes without a restart."""
    run_id = start_held(service, actors, WRITING)
    disk.full = True
    actors.release(WRITING)
    wait_until(lambda: "for its database" in caplog.text)
    assert not service.get(run_id, "").status.ended
    disk.full = False
    assert isinstance(followed(service, run_id)[-1], ResearchEnded)
    done = service.get(run_id, "")
    assert (done.status, done.report, done.failures) == (ResearchStatus.COMPLETE, REPORT, ())


def test_a_full_disk_refuses_in_words(service: ResearchService, actors: Actors, disk: FailingDisk):
    """Neither a new run nor a stop is taken while nothing can be written; with room again the stop is."""
    run_id = start_held(service, actors, SEARCHING)
    disk.full = True
    with pytest.raises(StorageError) as refused:
        service.cancel(run_id, "")
    assert "디스크에 남은 공간이 없어요" in refused.value.korean
    with pytest.raises(StorageError):
        service.start(ASKED)
    assert [entry.id for entry in service.list("")] == [run_id]
    disk.full = False
    service.cancel(run_id, "")
    followed(service, run_id)
    assert service.get(run_id, "").status is ResearchStatus.STOPPED


def test_a_run_that_its_engine_has_given_up_ends(service: ResearchService, actors: Actors, address: Path):
    """A workflow that DBOS has given up ends its run within the life of the process, though it has no reader."""
    run_id = start_held(service, actors, WRITING)
    given_up = f"status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED', recovery_attempts = {MAX_ATTEMPTS + 1}, owner_xid = NULL"
    _execute(address, f"UPDATE workflow_status SET {given_up} RETURNING status")
    actors.release(WRITING)
    wait_until(lambda: _saved_status(address) == "failed")
    assert service.get(run_id, "").status is ResearchStatus.FAILED


def _saved_status(address: Path) -> str:
    return str(_execute(address, "SELECT status FROM research_runs"))


def _execute(address: Path, statement: str) -> object:
    engine = create_engine(f"sqlite:///{address}")
    try:
        with engine.begin() as connection:
            return connection.execute(text(statement)).scalar()
    finally:
        engine.dispose()
