from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import delete, insert

from search_core.runs.worker_registry import CLAIM_S, STALE_S, ExpiredWorker, WorkerRegistry
from search_core.storage import Database
from search_core.storage.tables import RESEARCH_PROCESSES
from tests.search_core.storage.clocks import Moment


@pytest.fixture
def clock() -> Moment:
    return Moment()


@pytest.fixture(scope="module")
def module_database(folder: Path) -> Iterator[Database]:
    database = Database(folder / "maekrak.sqlite")
    yield database
    database.close()


@pytest.fixture
def database(module_database: Database) -> Database:
    """Return a database in which no process is registered."""
    with module_database.writing() as connection:
        connection.execute(delete(RESEARCH_PROCESSES))
    return module_database


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


def test_an_expired_process_is_claimed_by_one_at_a_time(
    database: Database, here: WorkerRegistry, clock: Moment, register: Callable[..., None]
):
    """Above STALE_S seconds without a heartbeat it is claimed, by a second process only when the first stops for CLAIM_S."""
    second = WorkerRegistry(database, now=clock)
    second._machine = "a third"
    register("far")
    clock.advance(seconds=STALE_S)
    assert here.claim_expired() == ()
    clock.advance(seconds=1)
    here.heartbeat()
    second.heartbeat()
    assert here.claim_expired() == (ExpiredWorker("far", died=True),)
    assert second.claim_expired() == ()
    clock.advance(seconds=CLAIM_S + 1)
    here.heartbeat()
    second.heartbeat()
    assert second.claim_expired() == (ExpiredWorker("far", died=True),)
    assert here.ids() == {here.id, second.id, "far"}
    second.remove("far")
    assert here.claim_expired() == ()


def test_processes_that_look_at_the_same_moment_claim_each_dead_one_once(
    database: Database, clock: Moment, register: Callable[..., None]
):
    """Four that find the same eight expired processes share them out, so that no run is taken over twice."""
    registries = [WorkerRegistry(database, now=clock) for _ in range(4)]
    for number in range(8):
        register(f"far {number}")
    clock.advance(seconds=STALE_S + 1)
    together = threading.Barrier(len(registries))

    def claim(registry: WorkerRegistry) -> list[str]:
        together.wait()
        return [process.id for process in registry.claim_expired()]

    with ThreadPoolExecutor(len(registries)) as pool:
        claimed = [name for names in pool.map(claim, registries) for name in names]
    assert sorted(claimed) == [f"far {number}" for number in range(8)]


def test_a_dead_process_of_this_machine_has_expired_at_once(
    database: Database, here: WorkerRegistry, clock: Moment, register: Callable[..., None]
):
    """A killed process and one that deregistered, without dying of its runs, are not waited for; a living one is left."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    register("child", here._machine, child.pid)
    assert here.claim_expired() == ()
    child.kill()
    child.communicate()
    assert here.claim_expired() == (ExpiredWorker("child", died=True),)
    earlier = WorkerRegistry(database, now=clock)
    earlier.heartbeat()
    assert earlier.id != here.id
    assert here.claim_expired() == (ExpiredWorker(earlier.id, died=True),)
    leaving = WorkerRegistry(database, now=clock)
    leaving._machine = "another"
    leaving.heartbeat()
    assert here.claim_expired() == ()
    leaving.deregister()
    assert here.claim_expired() == (ExpiredWorker(leaving.id, died=False),)
