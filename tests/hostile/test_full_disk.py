"""A disk that fills up: a real one, where this machine lets one be mounted, and under a run, as SQLite meets it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from search_core.domain.research import ResearchEnded, ResearchRequest, ResearchStatus
from search_core.errors import StorageError
from search_core.research.service import ResearchService
from search_core.storage.conversations import ConversationStore
from search_core.storage.database import Database
from tests.search_core.research.acting import QUESTION, REPORT, Actors, followed, open_research
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
WRITING = "write 2"


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


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of two megabytes."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(tmp_path)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_disk_without_room_is_told_as_one(small_disk: Path):
    """SQLite calls it a fault of the disk; whoever reads or writes is told to make room, and then finds what was kept."""
    path, rest = small_disk / "maekrak.sqlite", small_disk / "rest"
    with closing(Database(path)) as database:
        kept = ConversationStore(database).create("", title="제목")
    with rest.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"0" * 4096)
    with closing(Database(path)) as database:
        conversations = ConversationStore(database)
        for refused in (conversations.create, conversations.entries):
            with pytest.raises(StorageError) as caught:
                refused("")
            assert "공간" in caught.value.korean
        rest.unlink()
        conversations.create("", title="새 제목")
        assert {each.title for each in conversations.entries("")} == {kept.title, "새 제목"}
