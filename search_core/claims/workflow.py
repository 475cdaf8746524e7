"""A check of claims as a DBOS workflow: several claims at once, in their order, cut short where the user says so.

A workflow that is taken up again must take the same steps as before; see ``StepsUnderWay``. Changing their order or their
outcomes means changing ``engine.VERSION``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from dbos import DBOS

from search_core.claims.coverage import coverage
from search_core.claims.parts import CheckOutcome, ClaimsParts, NewsOutcome
from search_core.claims.steps import ClaimsRuns, ClaimsSteps, ProgressControl
from search_core.domain import (
    SEARCH_FAILED,
    Claim,
    ClaimCheck,
    ClaimsEnded,
    ClaimsEvent,
    ClaimsFailed,
    ClaimsMetrics,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimsStatusChanged,
    ClaimState,
    ClaimUpdated,
)
from search_core.durable_runs.control import CommandKind
from search_core.durable_runs.run_kind import StoredRun
from search_core.durable_runs.run_segment import MAX_ATTEMPTS, EventPublisher, RunSegment, StepsUnderWay, start_step, work_on_run

ClaimsPublisher = EventPublisher[ClaimsRequest, ClaimsRun, ClaimsEvent]
_CHECKING = "주장을 하나씩 웹과 견주고 있어요."
_ORDER = (ClaimState.WAITING, ClaimState.SEARCHING, ClaimState.READING)
"""States before the end, in the order in which a check goes through them."""
_BEFORE_READING = _ORDER[:2]
_NOBODY_ASKED = ClaimsFailed(
    kind=SEARCH_FAILED,
    description="No search service of the web answered for any claim. Try again, or check the network connection.",
    korean="어느 주장도 웹에서 찾아보지 못했어요(Search failed). 네트워크 연결을 확인하고 잠시 뒤에 다시 시도해 주세요.",
)


class ClaimsUnderWay(StepsUnderWay[ClaimsRequest, ClaimsRun, ClaimsEvent]):
    """The part of a workflow in which claims are checked."""

    def __init__(
        self,
        steps: ClaimsSteps,
        publisher: ClaimsPublisher,
        control: ProgressControl,
        *,
        last_command: int,
        halted_by: CommandKind | None,
        parts: ClaimsParts,
    ) -> None:
        super().__init__(publisher, control, parts.now, last_command=last_command, halted_by=halted_by)
        self.metrics = ClaimsMetrics()
        self._steps = steps
        self._claims_at_once = parts.limits.claims_at_once
        self._waiting = [check.claim for check in publisher.run.checks]
        self._checking: dict[asyncio.Task[CheckOutcome], Claim] = {}
        self._interrupted = False
        """True once a check was interrupted: its command may not have been received here yet."""

    def _begin(self) -> None:
        self._listen(NewsOutcome, self._steps.next_news)
        self._check_next()

    def _under_way(self) -> list[asyncio.Task[Any]]:
        return list(self._checking)

    async def _wait_for_next(self) -> None:
        await super()._wait_for_next()
        self._check_next()

    async def _take(self, done: Collection[Awaitable[Any]]) -> None:
        for task in [task for task in self._checking if task in done]:
            claim = self._checking.pop(task)
            # A step that had ended before the workflow was taken up again never had its slot.
            self._steps.search_slots.release(claim.number)
            self._apply_outcome(claim, task.result())

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

    async def _obey(self, heard: NewsOutcome) -> None:
        for check in heard.progress:
            self._apply_progress(check)
        for command in heard.commands:
            self._halts(command)
        if heard.commands or heard.progress:
            self._listen(NewsOutcome, self._steps.next_news)

    def _apply_progress(self, check: ClaimCheck) -> None:
        """Publish the progress of a check, unless it was published before: a repeated check reports it again."""
        known = next((each for each in self.checks if each.claim.number == check.claim.number), None)
        if known is None or known.state not in _ORDER or check.state not in _ORDER:
            return
        if check != known and _ORDER.index(check.state) >= _ORDER.index(known.state):
            self._publish(check)

    def _publish(self, check: ClaimCheck) -> None:
        self._publisher.add(ClaimUpdated(check=check))

    def _leave_out(self) -> None:
        for check in self.checks:
            if check.state in _ORDER:
                self._publish(replace(check, state=ClaimState.LEFT_OUT))

    @property
    def checks(self) -> tuple[ClaimCheck, ...]:
        """Return the checks of all claims so far."""
        return self._publisher.run.checks


@DBOS.workflow(name="maekrak_claims", max_recovery_attempts=MAX_ATTEMPTS)
async def check_claims(run_id: str, workflow_id: str) -> None:
    """Work on a run until it has ended."""
    await work_on_run("claims", run_id, workflow_id, _ClaimsSegment, ProgressControl())


class _ClaimsSegment(RunSegment[ClaimsRequest, ClaimsRun, ClaimsEvent]):
    """What one workflow does of a check of claims."""

    def __init__(
        self, service: ClaimsRuns, run: StoredRun[ClaimsRequest, ClaimsRun], workflow_id: str, control: ProgressControl
    ) -> None:
        self._steps = ClaimsSteps(service, run.id, run.request, control)
        super().__init__(service, run, workflow_id, control, self._steps)
        self._parts = service.parts
        self._progress = control
        self._metrics = ClaimsMetrics()

    async def _work(self) -> None:
        under_way = ClaimsUnderWay(
            self._steps,
            self._publisher,
            self._progress,
            last_command=self._last_command(),
            halted_by=self._halted_by(),
            parts=self._parts,
        )
        if under_way.halted_by is None:
            self._publisher.add(ClaimsStatusChanged(status=ClaimsStatus.CHECKING, message=_CHECKING))
        await under_way.run()
        self._metrics = under_way.metrics
        status = self._status_after(under_way.halted_by)
        if status is ClaimsStatus.FAILED:
            self._publisher.add(_NOBODY_ASKED)
        await self._end(status)

    def _status_after(self, halted_by: CommandKind | None) -> ClaimsStatus:
        """Return how the run has ended: a command that came when everything was checked has cut nothing short."""
        states = {check.state for check in self._publisher.run.checks}
        if ClaimState.LEFT_OUT in states and halted_by is CommandKind.STOP:
            return ClaimsStatus.STOPPED
        if ClaimState.FAILED in states and ClaimState.CHECKED not in states:
            return ClaimsStatus.FAILED
        return ClaimsStatus.FINISHED_EARLY if ClaimState.LEFT_OUT in states else ClaimsStatus.COMPLETE

    def _last_event(self, status: ClaimsStatus, total_ms: float, at: datetime) -> ClaimsEnded:
        metrics = replace(self._metrics, total_ms=total_ms)
        return ClaimsEnded(status=status, metrics=metrics, coverage=coverage(self._publisher.run.checks, metrics), at=at)
