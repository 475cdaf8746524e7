"""Searching and reading: all subtasks at once, each page as soon as its address is known, wishes heard all the while.

What happens first is not the same when a run is taken up again, so everything the next move depends on is kept by DBOS: the
results of steps, which of them ended in which order, and the wishes, which are the result of a step, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dbos import DBOS

from search_core.domain import (
    PlanOrigin,
    ResearchSource,
    ResearchStatus,
    SearchResult,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
    StatusChanged,
    Subtask,
    SubtaskPlanned,
    SubtaskState,
)
from search_core.research.control import Command, CommandKind, Control
from search_core.research.event_publisher import EventPublisher, step
from search_core.research.kept_findings import plan_values, results_of
from search_core.research.parts import ResearchLimits
from search_core.research.planning import Plan
from search_core.research.sources import domain_counts, merge_sources
from search_core.research.steps import Steps, key_of


class Span:
    """Measures the time from the first beginning to the last end of what is done side by side."""

    def __init__(self) -> None:
        self._begun: list[float] = []
        self._ended: list[float] = []

    def add(self, result: dict[str, Any]) -> None:
        """Add one of the things done."""
        self._begun.append(result["begun"])
        self._ended.append(result["ended"])

    @property
    def ms(self) -> float:
        """Return the time in milliseconds; 0 when nothing was done."""
        return max(0.0, max(self._ended) - min(self._begun)) * 1000 if self._begun else 0.0


class Gathering:
    """The part of one leg between its plan and its report."""

    def __init__(
        self,
        plan: Plan,
        steps: Steps,
        teller: EventPublisher,
        control: Control,
        *,
        heard: int,
        limits: ResearchLimits,
        own_only: bool = False,
    ) -> None:
        self.halted: CommandKind | None = None
        """STOP or FINISH when the user wished for it."""
        self.sources: tuple[ResearchSource, ...] = ()
        self.ledgers: dict[int, list[str]] = {}
        self.searching = Span()
        self.reading = Span()
        self._origin, self._note = plan.origin, plan.note
        self._subtasks = {subtask.number: replace(subtask, state=SubtaskState.WAITING) for subtask in plan.subtasks}
        self._steps = steps
        self._teller = teller
        self._control = control
        self._heard = heard
        self._at_most = limits.results_per_subtask * len(plan.subtasks)
        self._fetches = limits.fetches_at_once
        self._message = "내 자료에서 찾고 있어요." if own_only else "웹에서 찾고 있어요."
        self._found: dict[int, tuple[SearchResult, ...]] = {}
        self._pages: dict[str, dict[str, Any] | None] = {}
        self._waiting: list[ResearchSource] = []
        """Sources whose pages are to be read, in turn."""
        self._opened: dict[str, ResearchSource] = {}
        """Sources whose pages are read, or were, as they were first known."""
        self._tasks: dict[asyncio.Task[Any], tuple[str, Any]] = {}
        self._complete = False

    @property
    def subtasks(self) -> tuple[Subtask, ...]:
        """Return the plan as it stands."""
        return tuple(subtask for _, subtask in sorted(self._subtasks.items()))

    async def go(self) -> None:
        """Search and read until there is nothing more to do, or the user has had enough."""
        try:
            if self.halted is None:
                self._teller.tell(StatusChanged(status=ResearchStatus.SEARCHING, message=self._message))
            self._listen()
            for number in self._subtasks:
                self._search(number)
            while not await self._round():
                pass
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        for subtask in self.subtasks:
            if subtask.state in (SubtaskState.WAITING, SubtaskState.SEARCHING):
                self._change(replace(subtask, state=SubtaskState.LEFT_OUT))
        await self._teller.flush()

    async def _round(self) -> bool:
        """Wait for whatever ends next and go on from it; True when that was the last."""
        if not self._under_way("search") and not self._complete:
            await self._all_found()
        if not self._under_way("search", "page"):
            self._control.close()
        await self._teller.flush()
        done, _ = await DBOS.asyncio_wait(list(self._tasks), return_when=asyncio.FIRST_COMPLETED)
        over = False
        for task in [task for task in self._tasks if task in done]:
            kind, about = self._tasks.pop(task)
            result = task.result()
            if kind == "search":
                await self._searched(about, result)
            elif kind == "page":
                self._read(about, result)
            elif result:
                await self._wished([Command.of(plain) for plain in result])
            else:
                over = True
        return over

    def _under_way(self, *kinds: str) -> bool:
        return any(kind in kinds for kind, _ in self._tasks.values())

    def _start(self, kind: str, about: Any, body: Any, *args: Any) -> None:
        self._tasks[step(kind, body, *args)] = (kind, about)

    def _listen(self) -> None:
        self._control.open()
        self._start("wishes", None, self._steps.wishes, self._heard)

    def _search(self, number: int) -> None:
        if self.halted is None:
            subtask = self._subtasks[number]
            self._start("search", subtask.text, self._steps.search, number, subtask.text, self._heard)
            self._change(replace(subtask, state=SubtaskState.SEARCHING, found=0, own=0, failure=""))

    def _change(self, subtask: Subtask) -> None:
        self._subtasks[subtask.number] = subtask
        self._teller.tell(SubtaskPlanned(subtask=subtask))

    async def _searched(self, text: str, result: dict[str, Any]) -> None:
        """Take what the search for a subtask gave, unless the subtask is another one by now."""
        subtask = self._subtasks[result["number"]]
        if result["state"] == "cut" or text != subtask.text or subtask.state is not SubtaskState.SEARCHING:
            return
        self.searching.add(result)
        results = results_of(result["results"])
        state = SubtaskState.DONE if result["state"] == "done" else SubtaskState.FAILED
        own = sum(found.own for found in results)
        subtask = replace(subtask, state=state, found=len(results), own=own, failure=result["failure"])
        self._subtasks[subtask.number] = subtask
        self._found[subtask.number] = results
        self.ledgers[subtask.number] = result["ledger"]
        merged = await self._merged()
        self._teller.tell(
            SourcesUpdated(subtask=subtask, count=len(merged), domains=domain_counts(merged), ledger=tuple(result["ledger"]))
        )
        self._read_pages([source for source in merged if subtask.number in source.subtasks])

    async def _merged(self) -> tuple[ResearchSource, ...]:
        return await asyncio.to_thread(merge_sources, dict(self._found), at_most=self._at_most)

    def _read_pages(self, sources: Sequence[ResearchSource]) -> None:
        for source in sources:
            key = key_of(source)
            if self.halted is None and key not in self._pages:
                self._pages[key] = None
                self._waiting.append(source)
        self._read_next()

    def _read_next(self) -> None:
        """Read the pages whose turn it is; each is told of when its reading begins, not when it is put into the queue."""
        while self.halted is None and self._waiting and len(self._being_read()) < self._fetches:
            source = self._waiting.pop(0)
            key = key_of(source)
            self._opened[key] = replace(source, number=0)
            self._start("page", key, self._steps.page, source.url, source.own)
            self._tell_reading(key)

    def _being_read(self) -> set[str]:
        return {about for kind, about in self._tasks.values() if kind == "page"}

    async def _all_found(self) -> None:
        """Tell all sources, each with what is known of its page by now, and read the pages that are left."""
        self._complete = True
        self.sources = tuple(map(self._as_it_stands, await self._merged()))
        self._teller.tell(SourcesComplete(sources=self.sources))
        if self.sources and self.halted is None:
            self._teller.tell(StatusChanged(status=ResearchStatus.READING, message="찾은 페이지를 읽고 있어요."))
        self._read_pages(self.sources)

    def _as_it_stands(self, source: ResearchSource) -> ResearchSource:
        """Return *source* with what is known of its page."""
        key = key_of(source)
        outcome = self._pages.get(key)
        if outcome is None:
            return replace(source, reading=key in self._being_read())
        return replace(
            source, read=outcome["read"], failure=outcome["failure"], shortened=outcome.get("shortened", False), reading=False
        )

    def _read(self, key: str, result: dict[str, Any]) -> None:
        if "cut" not in result:
            self._pages[key] = result
            self.reading.add(result)
        self._tell_reading(key)
        self._read_next()

    def _tell_reading(self, key: str) -> None:
        """Tell how far the page of *key* is, under its number as soon as there is one."""
        listed = next((source for source in self.sources if key_of(source) == key), None) if self._complete else None
        told = self._as_it_stands(listed or self._opened[key])
        self.sources = tuple(told if each is listed else each for each in self.sources)
        self._teller.tell(SourceRead(source=told))

    async def _wished(self, commands: Sequence[Command]) -> None:
        for command in commands:
            self._heard = command.number
            if command.wish is CommandKind.STOP or (command.wish is CommandKind.FINISH and self.halted is None):
                self.halted = command.wish
            elif command.wish is CommandKind.EDIT and self.halted is None and command.body["number"] in self._subtasks:
                await self._edited(command.body["number"], command.body["text"])
        self._listen()

    async def _edited(self, number: int, text: str) -> None:
        subtask = replace(self._subtasks[number], text=text, origin=PlanOrigin.USER)
        if text == self._subtasks[number].text:
            return
        self._subtasks[number] = subtask
        self._found.pop(number, None)
        self.ledgers.pop(number, None)
        self._complete = False
        plan = Plan(
            subtasks=tuple(replace(each, state=SubtaskState.WAITING, found=0, own=0, failure="") for each in self.subtasks),
            origin=self._origin,
            note=self._note,
        )
        await step("replan", self._steps.replan, plan_values(plan))
        self._search(number)
