"""Parts of research that play their roles by a script, hold where a test wants them to, and write down what they did."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.report import SearchReport
from search_core.domain.research import (
    STOPPED_MARKER,
    ContentChunk,
    PlanOrigin,
    ReportWritten,
    ResearchEvent,
    ResearchRequest,
    ResearchRun,
    Subtask,
)
from search_core.reading.html import ReadPage
from search_core.research.evidence import Material
from search_core.research.parts import ResearchLimits, ResearchParts
from search_core.research.planning import Plan
from search_core.research.service import ResearchService
from search_core.research.writing import ReportEvent
from search_core.runs.run_service import DurableRuns, RunService
from search_core.runtime import LoopThread
from search_core.storage.database import Database
from tests.search_core.scripted import result
from tests.search_core.search.presenting.conftest import report

QUESTION = "메모리 반도체 시장은 어떻게 되나요?"
ASKED = ResearchRequest(question=QUESTION)
SUBTASKS = ("가격 전망", "수요 변화", "공급 계획", "경쟁 구도", "정책 영향")
PER_SUBTASK = 2
PAGE_OF = datetime(2026, 2, 3, tzinfo=UTC)
PIECES = tuple(f"문장 {number}이에요 [{number}]. " for number in range(1, 6))
REPORT = "".join(PIECES)
ADDRESSES = tuple(f"https://{name}.example/{number}" for number in (1, 2) for name in "abcde")
PATIENCE_S = 60.0
"""How long a test waits for what takes milliseconds; a machine that is busy takes longer."""


@dataclass
class Actors:
    """Plays planner, searcher, reader and writer; every call passes its point, where it can be held or fail."""

    journal: Path | None = None
    """A file that gets a line for each call that began and each that ended; it outlives the process."""
    holds: set[str] = field(default_factory=set)
    fails: dict[str, Exception | SearchStatus] = field(default_factory=dict)
    began: Counter[str] = field(default_factory=Counter)
    at_most: int = 0
    """Pages that were read at the same time."""
    ahead_s: float = 0.0
    """How far the clock of the runs is ahead."""
    _held: dict[str, Future[None]] = field(default_factory=dict)
    _change: threading.Condition = field(default_factory=threading.Condition)
    _in_flight: Counter[str] = field(default_factory=Counter)

    def reset(self) -> None:
        """Forget everything and hold nothing."""
        with self._change:
            self.holds.clear()
            self.fails.clear()
            self.began.clear()
            self.at_most = 0
            self.ahead_s = 0.0
            self._held.clear()

    def parts(self, **limits: float) -> ResearchParts:
        """Return these actors as parts."""
        limited = ResearchLimits(**{"runs_at_once": 3, "results_per_subtask": PER_SUBTASK, **limits})
        now = lambda: time.time() + self.ahead_s  # noqa: E731
        return ResearchParts(plan=self.plan, search=self.search, read=self.read, writer=self, limits=limited, now=now)

    async def plan(self, _: ResearchRequest) -> Plan:
        with self._call("plan"):
            await self._pass("plan")
        subtasks = tuple(Subtask(number=n, text=text, origin=PlanOrigin.MODEL) for n, text in enumerate(SUBTASKS, start=1))
        return Plan(subtasks=subtasks, origin=PlanOrigin.MODEL)

    async def search(self, text: str, _: ResearchRequest) -> SearchReport:
        with self._call(f"search {text}"):
            await self._pass(f"search {text}")
        failed = self.fails.get(f"search {text}")
        status = failed if isinstance(failed, SearchStatus) else SearchStatus.SUCCESS
        name = "abcde"[SUBTASKS.index(text)] if text in SUBTASKS else "z"
        found = tuple(
            result(
                f"{text}에 관한 {number}번째 글",
                url=f"https://{name}.example/{number}",
                snippet=f"{text} 요약 {number}이에요.",
                relevance_score=0.9 - number / 10 - (SUBTASKS.index(text) / 100 if text in SUBTASKS else 0),
            )
            for number in range(1, PER_SUBTASK + 1)
        )
        results = found if status is SearchStatus.SUCCESS else ()
        replies = (ProviderReply(provider="played", status=status, results=results),)
        return report(text=text, replies=replies, results=results, scorer="none", created_at=None)

    async def read(self, url: str) -> ReadPage:
        point = f"page {url}"
        with self._call(point):
            self.at_most = max(self.at_most, sum(name.startswith("page") for name in self._in_flight.elements()))
            await self._pass(point)
        name = url.removeprefix("https://")[:1]
        about = SUBTASKS["abcde".index(name)] if name in "abcde" else "흐름"
        text = f"메모리 반도체 시장의 {about}, 이 페이지의 본문이에요. 자세한 이야기는 다음과 같아요."
        return ReadPage(url=url, title="", text=text, published=PAGE_OF, language="ko")

    async def write(self, material: Material) -> AsyncGenerator[ReportEvent]:
        with self._call("write"):
            for number, piece in enumerate(PIECES):
                await self._pass(f"write {number}")
                yield ContentChunk(text=piece, begins=number == 0)
        yield ReportWritten(text=REPORT, by_model=True, cited=tuple(source.number for source in material.sources))

    def finish_stopped(self, _: Material, so_far: str) -> ReportWritten:
        return ReportWritten(text=f"{so_far.rstrip()}\n\n{STOPPED_MARKER}".strip(), by_model=True)

    @contextmanager
    def _call(self, point: str) -> Iterator[None]:
        self._note("began", point)
        with self._change:
            self.began[point] += 1
            self._in_flight[point] += 1
        try:
            yield
        finally:
            with self._change:
                self._in_flight[point] -= 1
                self._change.notify_all()
        self._note("ended", point)

    async def _pass(self, point: str) -> None:
        failed = self.fails.get(point)
        if isinstance(failed, Exception):
            raise failed
        if point in self.holds:
            future: Future[None] = Future()
            with self._change:
                self._held[point] = future
                self._change.notify_all()
            await asyncio.wrap_future(future)

    def _note(self, what: str, point: str) -> None:
        if self.journal is not None:
            with self.journal.open("a", encoding="utf-8") as journal:
                journal.write(f"{what} {point}\n")

    def wait_held(self, *points: str) -> None:
        """Return when a call is held at each of *points*."""
        with self._change:
            assert self._change.wait_for(lambda: all(point in self._held for point in points), PATIENCE_S), self._held.keys()

    def release(self, *points: str) -> None:
        """Let what is held at *points* go on, and hold nothing there any more."""
        self.holds.difference_update(points)
        for point in points:
            future = self._held.pop(point, None)
            if future is not None and not future.done():
                future.set_result(None)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Return when the calls so far make *condition* true."""
        with self._change:
            assert self._change.wait_for(condition, PATIENCE_S)

    def wait_idle(self) -> None:
        """Return when nothing is in flight."""
        with self._change:
            assert self._change.wait_for(lambda: not +self._in_flight, PATIENCE_S), self._in_flight


@contextmanager
def open_runs(address: str | Path, make: Callable[[DurableRuns], Any], **how: Any) -> Iterator[Any]:
    """Yield what *make* returns as one process has it, over the database at *address*; its engine opens with the first call."""
    loop, database = LoopThread(), Database(address)
    service = make(DurableRuns(database, loop, **how))
    try:
        yield service
    finally:
        service.close()
        loop.close()
        database.close()


def open_research(address: str | Path, parts: ResearchParts, **how: Any) -> AbstractContextManager[ResearchService]:
    """Lend a service of research as one process has it."""
    return open_runs(address, partial(ResearchService, parts), **how)


def followed(service: RunService, run_id: str, owner: str = "", after: int = 0) -> list[Any]:
    """Return the events of a run of any kind above number *after*, to its end."""
    return [event for _, event in service.events(run_id, owner, after)]


def ended(service: RunService, run_id: str, owner: str = "") -> Any:
    """Return a run of any kind when it has ended."""
    followed(service, run_id, owner)
    return service.get(run_id, owner)


def completed(service: ResearchService, request: ResearchRequest = ASKED) -> ResearchRun:
    """Start a run and return it when it has ended."""
    return ended(service, service.start(request).id, request.owner)


def until(service: ResearchService, run_id: str, kind: type, **fields: object) -> list[ResearchEvent]:
    """Return the events of a run up to the first of a *kind* that has *fields*."""
    seen = []
    for _, event in service.events(run_id, ""):
        seen.append(event)
        if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items()):
            return seen
    raise AssertionError(f"the run ended without {kind.__name__} {fields}: {seen[-1]}")


def folded(run: Any, events: Iterable[Any]) -> Any:
    """Return what *events* make of a run that has not begun."""
    again = type(run).begin(run.id, run.request, run.created_at)
    for event in events:
        again = again.after(event)
    return again
