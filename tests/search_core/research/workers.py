"""Processes that work on runs and are killed: each follows its own script and reports to its parent."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Self

from search_core.domain.research import ResearchRequest
from search_core.research.service import ResearchService
from search_core.runs.run_service import DurableRuns
from search_core.runtime import LoopThread
from search_core.storage.database import Database
from tests.search_core.research.acting import PATIENCE_S, QUESTION, Actors

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    ["tests.search_core.research.workers", "search_core.research.workflow", "search_core.checking.claims.workflow"]
)

DONE_MEANWHILE = {"plan": 0, "search": 1 + 4 + 8, "page": 1 + 5 + 9, "write": 1 + 5 + 10}
"""Calls that end while one of a kind is held."""


Play = Callable[[str | Path, Path, Sequence[str]], Any]
"""Makes what a process works on, of the address of a database, a journal and points to hold at: as ``PlayedResearch`` is."""


class PlayedResearch:
    """Research with actors for parts."""

    def __init__(self, address: str | Path, journal: Path, holds: Sequence[str]) -> None:
        self.actors = Actors(journal=journal, holds=set(holds))
        self.service = ResearchService(self.actors.parts(), DurableRuns(Database(address), LoopThread()))

    def start(self) -> str:
        """Start a run and return its id."""
        return self.service.start(ResearchRequest(question=QUESTION)).id

    def wait_kept(self, run_id: str, journal: Path, point: str) -> None:
        """Return when all that can be done while a call is held at *point* is done and stored."""

        def kept() -> bool:
            keys = [_key(each) for each in calls(journal)[1]]
            return len(keys) == DONE_MEANWHILE[point.split()[0]] and len(self.service.store.find(run_id, keys)) == len(keys)

        wait_until(kept)


class Worker:
    """A process that works on runs until it is killed."""

    def __init__(
        self,
        address: str | Path,
        journal: Path,
        holds: Sequence[str] = (),
        play: Play = PlayedResearch,
    ) -> None:
        """Start a process over the database at *address* whose calls are written into *journal* and held at *holds*."""
        self._pipe, there = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(target=_work, args=(address, journal, tuple(holds), play, there), daemon=True)
        self._process.start()
        there.close()
        self._expect("open")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> str:
        """Start a run and return its id."""
        self._pipe.send(("start",))
        return self._expect("started")

    def followed_until_held(self, run_id: str, point: str) -> list[Any]:
        """Return the events of a run until it was held at *point*, all else that could be done being done and stored."""
        self._pipe.send(("follow", run_id, point))
        events: list[Any] = []
        while True:
            what, value = self._receive()
            if what == "held":
                return events
            events.append(value)

    def wait_held(self, point: str) -> None:
        """Return when some run is held at *point*."""
        self._pipe.send(("hold", point))
        self._expect("held")

    def kill(self) -> None:
        """End the process as kill -9 does; returns when it is gone."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _expect(self, wanted: str) -> Any:
        what, value = self._receive()
        assert what == wanted, value
        return value

    def _receive(self) -> tuple[str, Any]:
        assert self._pipe.poll(PATIENCE_S), "the worker sends nothing"
        message: tuple[str, Any] = self._pipe.recv()
        return message


def kill_held(folder: Path, point: str, play: Play = PlayedResearch) -> str:
    """Kill a process whose run is held at *point*, all else of the run being done; leave its files in *folder*, return the id."""
    journal = folder / "journal"
    journal.touch()
    with Worker(folder / "maekrak.sqlite", journal, [point], play=play) as worker:
        run_id = worker.start()
        worker.followed_until_held(run_id, point)
        worker.kill()
    return run_id


def sql(address: Path, statement: str) -> list[tuple[object, ...]]:
    """Return the rows of *statement* in the SQLite database at *address*."""
    with closing(sqlite3.connect(address, timeout=PATIENCE_S)) as database, database:
        return database.execute(statement).fetchall()


def calls(journal: Path) -> tuple[Counter[str], Counter[str]]:
    """Return how often calls began, and how often they ended, in all processes that wrote into *journal*."""
    began: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    for line in journal.read_text(encoding="utf-8").splitlines():
        what, _, point = line.partition(" ")
        (began if what == "began" else ended)[point] += 1
    return began, ended


def _work(
    address: str | Path,
    journal: Path,
    holds: tuple[str, ...],
    play: Play,
    pipe: Connection,
) -> None:
    played = play(address, journal, holds)
    played.service.open()
    pipe.send(("open", None))
    while True:
        asked = pipe.recv()
        if asked[0] == "start":
            pipe.send(("started", played.start()))
        elif asked[0] == "hold":
            played.actors.wait_held(asked[1])
            pipe.send(("held", None))
        else:
            _, run_id, point = asked
            threading.Thread(target=_send_events, args=(played, run_id, pipe), daemon=True).start()
            played.actors.wait_held(point)
            played.wait_kept(run_id, journal, point)
            pipe.send(("held", None))


def _send_events(played: Any, run_id: str, pipe: Connection) -> None:
    for _, event in played.service.events(run_id, ""):
        pipe.send(("event", event))


def wait_until(condition: Callable[[], bool]) -> None:
    """Return when *condition* holds, for state of another process that sends no event."""
    pause = threading.Event()
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until, "it stays as it is"
        pause.wait(0.01)


def _key(point: str) -> str:
    kind, _, rest = point.partition(" ")
    return f"web search:{rest}" if kind == "search" else point.replace(" ", ":", 1)
