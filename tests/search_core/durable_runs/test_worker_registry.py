from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from search_core.durable_runs.worker_registry import CLAIM_S, STALE_S, WorkerRegistry
from search_core.storage import Database
from search_core.storage.tables import RESEARCH_PROCESSES


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "maekrak.sqlite")
    yield database
    database.close()


def elsewhere(database: Database, clock: Clock, name: str = "far") -> None:
    """Let a process of another machine say that it lives."""
    with database.writing() as connection:
        connection.execute(insert(RESEARCH_PROCESSES).values(id=name, machine="another", pid=os.getpid(), beat_at=clock()))


def test_a_silent_process_is_gone(database: Database, clock: Clock):
    """One that has spoken a moment ago is not; this one never is to itself."""
    here = WorkerRegistry(database, now=clock)
    here.heartbeat()
    elsewhere(database, clock)
    assert here.claim_expired() == ()
    clock.pass_by(STALE_S + 1)
    assert here.claim_expired() == ("far",)


def test_one_takes_over_at_a_time(database: Database, clock: Clock):
    """Who was first has some time; when nothing came of it another may."""
    first, second = WorkerRegistry(database, now=clock), WorkerRegistry(database, now=clock)
    second._machine = "a third"
    elsewhere(database, clock)
    clock.pass_by(STALE_S + 1)
    first.heartbeat()
    second.heartbeat()
    assert first.claim_expired() == ("far",)
    assert second.claim_expired() == ()
    clock.pass_by(CLAIM_S + 1)
    first.heartbeat()
    second.heartbeat()
    assert second.claim_expired() == ("far",)
    second.remove("far")
    assert first.claim_expired() == ()


def test_a_dead_process_of_this_machine_is_gone_at_once(database: Database, clock: Clock):
    """Its number runs no longer, so nobody waits for its silence; one that lives is left alone."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    here = WorkerRegistry(database, now=clock)
    with database.writing() as connection:
        values = {"id": "child", "machine": here._machine, "pid": child.pid, "beat_at": clock()}
        connection.execute(insert(RESEARCH_PROCESSES).values(**values))
    assert here.claim_expired() == ()
    child.kill()
    child.communicate()
    assert here.claim_expired() == ("child",)


def test_an_earlier_life_of_this_process_number_is_gone(database: Database, clock: Clock):
    """A container that starts again has the number it had; its earlier self is another."""
    before, after = WorkerRegistry(database, now=clock), WorkerRegistry(database, now=clock)
    before.heartbeat()
    assert before.id != after.id
    assert after.claim_expired() == (before.id,)


def test_who_takes_leave_is_gone_at_once(database: Database, clock: Clock):
    """Its place is free to be taken over without waiting."""
    elsewhere(database, clock, "stays")
    leaving, here = WorkerRegistry(database, now=clock), WorkerRegistry(database, now=clock)
    leaving._machine = "another"
    leaving.heartbeat()
    assert here.claim_expired() == ()
    leaving.deregister()
    assert here.claim_expired() == (leaving.id,)


def test_a_process_is_known_until_it_is_forgotten(database: Database, clock: Clock):
    """One that is gone is known as long as somebody may still take over from it."""
    here = WorkerRegistry(database, now=clock)
    here.heartbeat()
    elsewhere(database, clock)
    clock.pass_by(STALE_S + 1)
    assert here.ids() == {here.id, "far"}
    here.remove("far")
    assert here.ids() == {here.id}


def test_a_beat_is_kept_once(database: Database, clock: Clock):
    """However often a process speaks, there is one row of it, with the last time."""
    here = WorkerRegistry(database, now=clock)
    here.heartbeat()
    clock.pass_by(2)
    here.heartbeat()
    with database.reading() as connection:
        rows = connection.execute(select(RESEARCH_PROCESSES.c.beat_at)).all()
    assert [row.beat_at for row in rows] == [clock()]


def test_nothing_slow_is_loaded_before_research_is_asked_for():
    """A desk that nobody has used has loaded neither DBOS nor SQLAlchemy."""
    code = (
        "import sys; from search_core.research import ResearchService; "
        "print([name for name in ('dbos', 'sqlalchemy') if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
