"""Processes that work on runs and are killed: each plays by its own script, and tells its parent what happens."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol, Self

from search_core.domain import ResearchRequest
from search_core.durable_runs.run_service import RunService
from search_core.research import ResearchService
from search_core.research.event_json import encode
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.search_core.research.acting import PATIENCE_S, QUESTION, Actors

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    ["tests.search_core.research.workers", "search_core.research.workflow", "search_core.claims.workflow"]
)

DONE_BESIDE = {"plan": 0, "search": 1 + 4 + 8, "page": 1 + 5 + 9, "write": 1 + 5 + 10}
"""Calls that end while one of a kind is held: the plan, the other searches, the other pages."""


class Played(Protocol):
    """A service of one kind of runs with actors for parts."""

    actors: Actors
    service: RunService[Any, Any, Any, Any]

    def start(self) -> str:
        """Start a run and return its id."""

    def wait_kept(self, run_id: str, journal: Path, point: str) -> None:
        """Return when all that can be done while a call is held at *point* is done and kept."""

    def encode(self, event: Any) -> dict[str, Any]:
        """Return *event* as its stream keeps it."""


class PlayedResearch:
    """Research with actors for parts."""

    def __init__(self, address: str | Path, journal: Path, holds: Sequence[str]) -> None:
        self.actors = Actors(journal=journal, holds=set(holds))
        self.service = ResearchService(self.actors.parts(), Database(address), LoopThread())

    def start(self) -> str:
        return self.service.start(ResearchRequest(question=QUESTION)).id

    def wait_kept(self, run_id: str, journal: Path, point: str) -> None:
        wait_kept(self.service, run_id, journal, point)

    def encode(self, event: Any) -> dict[str, Any]:
        return encode(event)


class Worker:
    """A process that works on runs until it is killed."""

    def __init__(
        self,
        address: str | Path,
        journal: Path,
        holds: Sequence[str] = (),
        play: Callable[[str | Path, Path, Sequence[str]], Played] = PlayedResearch,
    ) -> None:
        """Take where runs are kept, where calls are written down, the points at which they are held, and whose runs they are."""
        self._pipe, there = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(target=_work, args=(address, journal, tuple(holds), play, there), daemon=True)
        self._process.start()
        there.close()
        self._hear("open")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> str:
        """Start a run and return its id."""
        self._pipe.send(("start",))
        return self._hear("started")

    def followed_until_held(self, run_id: str, point: str) -> list[dict[str, Any]]:
        """Return what a run has told until it was held at *point*, everything that could be done beside it done and kept."""
        self._pipe.send(("follow", run_id, point))
        told: list[dict[str, Any]] = []
        while True:
            what, value = self._receive()
            if what == "held":
                return told
            told.append(value)

    def wait_held(self, point: str) -> None:
        """Return when some run is held at *point*."""
        self._pipe.send(("hold", point))
        self._hear("held")

    def kill(self) -> None:
        """End the process as kill -9 does; returns when it is gone."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _hear(self, wanted: str) -> Any:
        what, value = self._receive()
        assert what == wanted, value
        return value

    def _receive(self) -> tuple[str, Any]:
        assert self._pipe.poll(PATIENCE_S), "the worker says nothing"
        message: tuple[str, Any] = self._pipe.recv()
        return message


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
    play: Callable[[str | Path, Path, Sequence[str]], Played],
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
            threading.Thread(target=_tell, args=(played, run_id, pipe), daemon=True).start()
            played.actors.wait_held(point)
            played.wait_kept(run_id, journal, point)
            pipe.send(("held", None))


def _tell(played: Played, run_id: str, pipe: Connection) -> None:
    for _, event in played.service.events(run_id, ""):
        pipe.send(("told", played.encode(event)))


def wait_kept(desk: ResearchService, run_id: str, journal: Path, point: str) -> None:
    """Return when all that can be done while a call is held at *point* is done and kept."""
    pause = threading.Event()
    while True:
        _, ended = calls(journal)
        keys = [_key(each) for each in ended]
        if len(keys) == DONE_BESIDE[point.split()[0]] and len(desk._store.find(run_id, keys)) == len(keys):
            return
        pause.wait(0.01)


def wait_until(there: Callable[[], bool]) -> None:
    """Return when *there* is true of what processes keep without telling anybody."""
    pause = threading.Event()
    until = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < until, "it stays as it is"
        pause.wait(0.01)


def _key(point: str) -> str:
    kind, _, rest = point.partition(" ")
    return f"web search:{rest}" if kind == "search" else point.replace(" ", ":", 1)
