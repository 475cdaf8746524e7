"""Searching and reading: all subtasks at once, each page as soon as its address is known, commands obeyed all the while.

What ends first may differ when a run is taken up again, so DBOS stores all that the next move depends on: the outcomes of steps,
which of them ended in which order, and the commands, which are the outcome of a step, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Any

from dbos import DBOS

from search_core.domain import (
    PlanOrigin,
    ResearchEvent,
    ResearchRequest,
    ResearchRun,
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
from search_core.durable_runs.control import Command, CommandKind, Control
from search_core.durable_runs.event_publisher import EventPublisher
from search_core.durable_runs.outcomes import CommandsOutcome, StepOutcome, start_step
from search_core.research.findings import source_key
from search_core.research.outcomes import PageOutcome, SearchOutcome
from search_core.research.parts import ResearchParts
from search_core.research.planning import Plan
from search_core.research.sources import domain_counts, merge_sources
from search_core.research.steps import Steps

ResearchPublisher = EventPublisher[ResearchRequest, ResearchRun, ResearchEvent]


class Gathering:
    """The part of a workflow between its plan and its report."""

    def __init__(
        self,
        plan: Plan,
        steps: Steps,
        publisher: ResearchPublisher,
        control: Control,
        parts: ResearchParts,
        *,
        last_command: int,
        halted_by: CommandKind | None,
        own_only: bool,
    ) -> None:
        """Take the *plan*; commands up to *last_command* are known, and *halted_by* is the STOP or FINISH among them."""
        self.halted_by = halted_by
        self.sources: tuple[ResearchSource, ...] = ()
        self.ledgers: dict[int, tuple[str, ...]] = {}
        self.search_outcomes: list[StepOutcome] = []
        self.page_outcomes: list[StepOutcome] = []
        self._plan = plan
        self._subtasks = {subtask.number: replace(subtask, state=SubtaskState.WAITING) for subtask in plan.subtasks}
        self._steps = steps
        self._publisher = publisher
        self._control = control
        self._now = parts.now
        self._last_command = last_command
        self._at_most = parts.limits.results_per_subtask * len(plan.subtasks)
        self._fetches_at_once = parts.limits.fetches_at_once
        self._message = "내 자료에서 찾고 있어요." if own_only else "웹에서 찾고 있어요."
        self._results: dict[int, tuple[SearchResult, ...]] = {}
        self._pages: dict[str, PageOutcome | None] = {}
        """By key; None until the page was read, or reading it failed."""
        self._queue: list[ResearchSource] = []
        """Sources whose pages are to be read, in turn."""
        self._opened: dict[str, ResearchSource] = {}
        """Sources whose pages are being read, or were, as they were first known."""
        self._searching: dict[asyncio.Task[SearchOutcome], Subtask] = {}
        self._reading: dict[asyncio.Task[PageOutcome], str] = {}
        """Keys of the pages that are being read."""
        self._listening: asyncio.Task[CommandsOutcome] | None = None
        self._complete = False
        """True while ``sources`` holds what all searches gave."""

    @property
    def subtasks(self) -> tuple[Subtask, ...]:
        """Return the current plan."""
        return tuple(subtask for _, subtask in sorted(self._subtasks.items()))

    async def run(self) -> None:
        """Search and read until there is nothing more to do, or the user has had enough."""
        try:
            if self.halted_by is None:
                self._publisher.add(StatusChanged(status=ResearchStatus.SEARCHING, message=self._message))
            self._listen()
            for number in self._subtasks:
                self._search(number)
            while self._listening is not None:
                await self._wait_for_next()
        finally:
            tasks = self._tasks()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for subtask in self.subtasks:
            if subtask.state in (SubtaskState.WAITING, SubtaskState.SEARCHING):
                self._change(replace(subtask, state=SubtaskState.LEFT_OUT))
        await self._publisher.flush()

    def _tasks(self) -> list[asyncio.Task[Any]]:
        listening = [self._listening] if self._listening is not None else []
        return [*self._searching, *self._reading, *listening]

    async def _wait_for_next(self) -> None:
        """Wait for whatever ends next and go on from it; commands are waited for until nothing else is under way."""
        if not self._searching and not self._complete:
            await self._complete_sources()
        if not self._searching and not self._reading:
            self._control.close()
        await self._publisher.flush()
        done, _ = await DBOS.asyncio_wait(list[Awaitable[Any]](self._tasks()), return_when=asyncio.FIRST_COMPLETED)
        for search in [task for task in self._searching if task in done]:
            await self._take_results(self._searching.pop(search), search.result())
        for page in [task for task in self._reading if task in done]:
            self._take_page(self._reading.pop(page), page.result())
        if self._listening is not None and self._listening in done:
            commands = self._listening.result().commands
            self._listening = None
            if commands:
                await self._obey(commands)

    def _listen(self) -> None:
        self._control.open()
        self._listening = start_step(CommandsOutcome, self._now, self._steps.next_commands, self._last_command)

    def _search(self, number: int) -> None:
        if self.halted_by is None:
            subtask = self._subtasks[number]
            task = start_step(SearchOutcome, self._now, self._steps.search, number, subtask.text, self._last_command)
            self._searching[task] = subtask
            self._change(replace(subtask, state=SubtaskState.SEARCHING, found=0, own=0, failure=""))

    def _change(self, subtask: Subtask) -> None:
        self._subtasks[subtask.number] = subtask
        self._publisher.add(SubtaskPlanned(subtask=subtask))

    async def _take_results(self, begun: Subtask, outcome: SearchOutcome) -> None:
        """Take what a search gave, unless its subtask was changed since the search has *begun*."""
        self.search_outcomes.append(outcome)  # one that was interrupted has taken its time, too
        subtask = self._subtasks[begun.number]
        if outcome.interrupted or begun.text != subtask.text or subtask.state is not SubtaskState.SEARCHING:
            return
        results = outcome.results
        own = sum(result.own for result in results)
        subtask = replace(subtask, state=outcome.state, found=len(results), own=own, failure=outcome.failure)
        self._subtasks[subtask.number] = subtask
        self._results[subtask.number] = results
        self.ledgers[subtask.number] = outcome.ledger
        merged = await self._merge()
        self._publisher.add(
            SourcesUpdated(subtask=subtask, count=len(merged), domains=domain_counts(merged), ledger=outcome.ledger)
        )
        self._read_pages([source for source in merged if subtask.number in source.subtasks])

    async def _merge(self) -> tuple[ResearchSource, ...]:
        return await asyncio.to_thread(merge_sources, dict(self._results), at_most=self._at_most)

    def _read_pages(self, sources: Sequence[ResearchSource]) -> None:
        for source in sources:
            key = source_key(source)
            if self.halted_by is None and key not in self._pages:
                self._pages[key] = None
                self._queue.append(source)
        self._read_next()

    def _read_next(self) -> None:
        """Read the pages whose turn it is; each is published when its reading begins, not when it is queued."""
        while self.halted_by is None and self._queue and len(self._reading) < self._fetches_at_once:
            source = self._queue.pop(0)
            key = source_key(source)
            self._opened[key] = replace(source, number=0)
            self._reading[start_step(PageOutcome, self._now, self._steps.page, source.url, source.own)] = key
            self._publish_page(key)

    async def _complete_sources(self) -> None:
        """Publish all sources, each with what is known of its page by now, and read the pages that are left."""
        self._complete = True
        self.sources = tuple(map(self._with_page, await self._merge()))
        self._publisher.add(SourcesComplete(sources=self.sources))
        if self.sources and self.halted_by is None:
            self._publisher.add(StatusChanged(status=ResearchStatus.READING, message="찾은 페이지를 읽고 있어요."))
        self._read_pages(self.sources)

    def _with_page(self, source: ResearchSource) -> ResearchSource:
        """Return *source* with what is known of its page."""
        key = source_key(source)
        outcome = self._pages.get(key)
        if outcome is None:
            return replace(source, reading=key in self._reading.values())
        return replace(source, read=outcome.read, failure=outcome.failure, shortened=outcome.shortened, reading=False)

    def _take_page(self, key: str, outcome: PageOutcome) -> None:
        self.page_outcomes.append(outcome)
        if not outcome.interrupted:
            self._pages[key] = outcome
        self._publish_page(key)
        self._read_next()

    def _publish_page(self, key: str) -> None:
        """Publish how far the page of *key* is, under the number of its source as soon as there is one."""
        listed = next((source for source in self.sources if source_key(source) == key), None) if self._complete else None
        source = self._with_page(listed or self._opened[key])
        self.sources = tuple(source if each is listed else each for each in self.sources)
        self._publisher.add(SourceRead(source=source))

    async def _obey(self, commands: Sequence[Command]) -> None:
        for command in commands:
            self._last_command = command.number
            if command.kind is CommandKind.STOP or (command.kind is CommandKind.FINISH and self.halted_by is None):
                self.halted_by = command.kind
            elif command.kind is CommandKind.EDIT and self.halted_by is None and command.subtask in self._subtasks:
                await self._edit(command.subtask, command.text)
        self._listen()

    async def _edit(self, number: int, text: str) -> None:
        if text == self._subtasks[number].text:
            return
        self._subtasks[number] = replace(self._subtasks[number], text=text, origin=PlanOrigin.USER)
        self._results.pop(number, None)
        self.ledgers.pop(number, None)
        self._complete = False
        subtasks = tuple(replace(each, state=SubtaskState.WAITING, found=0, own=0, failure="") for each in self.subtasks)
        plan = replace(self._plan, subtasks=subtasks, failure=None)
        await start_step(StepOutcome, self._now, self._steps.replan, plan)
        self._search(number)


def span_ms(outcomes: Sequence[StepOutcome]) -> float:
    """Return the time from the first beginning to the last end of steps taken side by side; 0 for none."""
    if not outcomes:
        return 0.0
    return max(0.0, max(each.ended for each in outcomes) - min(each.begun for each in outcomes)) * 1000
