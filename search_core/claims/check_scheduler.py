"""Checking claims: several at once, in their order, commands obeyed all the while.

What ends first may differ when a run is taken up again, so DBOS stores all that the next move depends on: the outcomes of steps,
which of them ended in which order, and the commands and the progress, which are outcomes of a step, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from dbos import DBOS

from search_core.claims.outcomes import CheckOutcome, NewsOutcome
from search_core.claims.progress_control import ProgressControl
from search_core.claims.steps import ClaimsSteps
from search_core.domain import (
    Claim,
    ClaimCheck,
    ClaimsEvent,
    ClaimsMetrics,
    ClaimsRequest,
    ClaimsRun,
    ClaimState,
    ClaimUpdated,
)
from search_core.durable_runs.control import CommandKind
from search_core.durable_runs.event_publisher import EventPublisher
from search_core.durable_runs.outcomes import start_step

ClaimsPublisher = EventPublisher[ClaimsRequest, ClaimsRun, ClaimsEvent]
_ORDER = (ClaimState.WAITING, ClaimState.SEARCHING, ClaimState.READING)
"""States before the end, in the order in which a check goes through them."""
_BEFORE_READING = _ORDER[:2]


class ClaimsUnderWay:
    """The part of a workflow in which claims are checked."""

    def __init__(
        self,
        steps: ClaimsSteps,
        publisher: ClaimsPublisher,
        control: ProgressControl,
        now: Callable[[], float],
        *,
        claims_at_once: int,
        last_command: int,
        halted_by: CommandKind | None,
    ) -> None:
        """Take the run of *publisher*; commands up to *last_command* are known, *halted_by* is the STOP or FINISH among them."""
        self.halted_by = halted_by
        self.metrics = ClaimsMetrics()
        self._steps = steps
        self._publisher = publisher
        self._control = control
        self._now = now
        self._claims_at_once = claims_at_once
        self._last_command = last_command
        self._waiting = [check.claim for check in publisher.run.checks]
        self._checking: dict[asyncio.Task[CheckOutcome], Claim] = {}
        self._news: asyncio.Task[NewsOutcome] | None = None
        self._interrupted = False
        """True once a check was interrupted: its command may not have been received here yet."""

    @property
    def checks(self) -> tuple[ClaimCheck, ...]:
        """Return the checks of all claims so far."""
        return self._publisher.run.checks

    async def run(self) -> None:
        """Check until there is nothing more to do, or the user has had enough; what was not checked is left out."""
        try:
            self._await_news()
            self._check_next()
            while self._news is not None:
                await self._wait_for_next()
        finally:
            tasks = self._tasks()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for check in self.checks:
            if check.state in _ORDER:
                self._publish(replace(check, state=ClaimState.LEFT_OUT))
        await self._publisher.flush()

    def _tasks(self) -> list[asyncio.Task[Any]]:
        listening = [self._news] if self._news is not None else []
        return [*self._checking, *listening]

    async def _wait_for_next(self) -> None:
        """Wait for whatever ends next and go on from it; commands are waited for until nothing else is under way."""
        if not self._checking:
            self._control.close()
        await self._publisher.flush()
        done, _ = await DBOS.asyncio_wait(list[Awaitable[Any]](self._tasks()), return_when=asyncio.FIRST_COMPLETED)
        for task in [task for task in self._checking if task in done]:
            claim = self._checking.pop(task)
            # A step that had ended before the workflow was taken up again never had its slot.
            self._steps.search_slots.release(claim.number)
            self._apply_outcome(claim, task.result())
        if self._news is not None and self._news in done:
            news = self._news.result()
            self._news = None
            self._obey(news)
        self._check_next()

    def _await_news(self) -> None:
        self._control.open()
        self._news = start_step(NewsOutcome, self._now, self._steps.next_news, self._last_command)

    def _check_next(self) -> None:
        """Start the steps of the next claims, and publish which are searched for.

        As many again are started as are searched for: pages of some are read while others are searched for, and what DBOS writes
        between two steps delays no check.
        """
        if self.halted_by is not None or self._interrupted:
            return
        while self._waiting and len(self._checking) < 2 * self._claims_at_once:
            claim = self._waiting.pop(0)
            self._steps.search_slots.enqueue(claim.number)
            self._checking[start_step(CheckOutcome, self._now, self._steps.check, claim)] = claim
        begun = {claim.number for claim in self._checking.values()}
        unread = [check for check in self.checks if check.claim.number in begun and check.state in _BEFORE_READING]
        for check in unread[: self._claims_at_once]:
            if check.state is ClaimState.WAITING:
                self._publish(replace(check, state=ClaimState.SEARCHING))

    def _apply_outcome(self, claim: Claim, outcome: CheckOutcome) -> None:
        self._interrupted = self._interrupted or outcome.interrupted
        if outcome.check is not None:
            self.metrics = outcome.added_to(self.metrics)
            self._publish(replace(outcome.check, claim=claim))

    def _obey(self, news: NewsOutcome) -> None:
        for check in news.progress:
            self._apply_progress(check)
        for command in news.commands:
            self._last_command = command.number
            if command.kind is CommandKind.STOP or (command.kind is CommandKind.FINISH and self.halted_by is None):
                self.halted_by = command.kind
        if news.commands or news.progress:
            self._await_news()

    def _apply_progress(self, check: ClaimCheck) -> None:
        """Publish the progress of a check, unless it was published before: a repeated check reports it again."""
        known = next((each for each in self.checks if each.claim.number == check.claim.number), None)
        if known is None or known.state not in _ORDER or check.state not in _ORDER:
            return
        if check != known and _ORDER.index(check.state) >= _ORDER.index(known.state):
            self._publish(check)

    def _publish(self, check: ClaimCheck) -> None:
        self._publisher.add(ClaimUpdated(check=check))
