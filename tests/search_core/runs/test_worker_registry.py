from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert

from search_core.runs.worker_registry import STALE_S, WorkerRegistry
from search_core.storage.database import Database
from search_core.storage.tables import RESEARCH_PROCESSES
from tests.search_core.storage.conftest import Moment


@pytest.fixture
def clock() -> Moment:
    return Moment()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(tmp_path / "maekrak.sqlite")) as opened:
        yield opened


@pytest.fixture
def here(database: Database, clock: Moment) -> WorkerRegistry:
    return WorkerRegistry(database, now=clock)


@pytest.fixture
def register(database: Database, clock: Moment) -> Callable[..., None]:
    """Return a function that registers a process, by default one of another machine."""

    def insert_process(name: str, machine: str = "another", pid: int = os.getpid()) -> None:
        with database.writing() as connection:
            connection.execute(insert(RESEARCH_PROCESSES).values(id=name, machine=machine, pid=pid, beat_at=clock()))

    return insert_process


def test_a_silent_process_is_removed(here: WorkerRegistry, clock: Moment, register: Callable[..., None]):
    """One of another machine counts as dead above STALE_S seconds without a heartbeat; one that still lives registers anew."""
    register("far")
    clock.advance(seconds=STALE_S)
    here.remove_expired()
    assert here.ids() == {"far"}
    clock.advance(seconds=1)
    here.heartbeat()
    here.remove_expired()
    assert here.ids() == {here.id}


def test_a_dead_process_of_this_machine_is_removed_at_once(
    database: Database, here: WorkerRegistry, clock: Moment, register: Callable[..., None]
):
    """A killed process, an earlier one of our number and one that deregisters are not waited for; a living one is left."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    register("child", here._machine, child.pid)
    here.remove_expired()
    assert here.ids() == {"child"}
    child.kill()
    child.communicate()
    earlier = WorkerRegistry(database, now=clock)
    earlier.heartbeat()
    here.remove_expired()
    assert here.ids() == frozenset()
    here.heartbeat()
    here.deregister()
    assert here.ids() == frozenset()
