"""A check of claims as a DBOS workflow: claim after claim, cut short where the user says so.

A workflow that is taken up again must take the same steps as before; see ``under_way.py``. Changing their order or their outcomes
means changing ``engine.VERSION``.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC, datetime

from dbos import DBOS

from search_core.claims.check_scheduler import ClaimsUnderWay
from search_core.claims.coverage import coverage
from search_core.claims.failures import NOBODY_ASKED, failed_run
from search_core.claims.progress_control import ProgressControl
from search_core.claims.steps import ClaimsKind, ClaimsSteps
from search_core.claims.stored_claims import StoredClaims
from search_core.domain import (
    ClaimsEnded,
    ClaimsEvent,
    ClaimsMetrics,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimsStatusChanged,
    ClaimState,
)
from search_core.durable_runs.control import CommandKind
from search_core.durable_runs.run_segment import MAX_ATTEMPTS, RunSegment, work_on_run

logger = logging.getLogger(__name__)

WORKFLOW = "maekrak_claims"
_CHECKING = "주장을 하나씩 웹과 견주고 있어요."


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=MAX_ATTEMPTS)
async def check_claims(run_id: str, workflow_id: str) -> None:
    """Work on a run until it has ended."""
    await work_on_run("claims", run_id, workflow_id, _ClaimsSegment, ProgressControl())


class _ClaimsSegment(RunSegment[ClaimsRequest, ClaimsRun, ClaimsEvent]):
    """What one workflow does of a check of claims."""

    def __init__(self, kind: ClaimsKind, run: StoredClaims, workflow_id: str, control: ProgressControl) -> None:
        self._steps = ClaimsSteps(kind, run.id, run.request, control)
        super().__init__(kind, run, workflow_id, control, self._steps)
        self._limits = kind.parts.limits
        self._progress = control
        self._metrics = ClaimsMetrics()

    async def _work(self) -> None:
        under_way = ClaimsUnderWay(
            self._steps,
            self._publisher,
            self._progress,
            self._now,
            claims_at_once=self._limits.claims_at_once,
            last_command=self._last_command(),
            halted_by=self._halted_by(),
        )
        if under_way.halted_by is None:
            self._publisher.add(ClaimsStatusChanged(status=ClaimsStatus.CHECKING, message=_CHECKING))
        await under_way.run()
        self._metrics = under_way.metrics
        status = self._status_after(under_way.halted_by)
        if status is ClaimsStatus.FAILED:
            self._publisher.add(NOBODY_ASKED)
        await self._end(status)

    def _status_after(self, halted_by: CommandKind | None) -> ClaimsStatus:
        """Return how the run has ended: a command that came when everything was checked has cut nothing short."""
        states = {check.state for check in self._publisher.run.checks}
        if ClaimState.LEFT_OUT in states and halted_by is CommandKind.STOP:
            return ClaimsStatus.STOPPED
        if ClaimState.FAILED in states and ClaimState.CHECKED not in states:
            return ClaimsStatus.FAILED
        return ClaimsStatus.FINISHED_EARLY if ClaimState.LEFT_OUT in states else ClaimsStatus.COMPLETE

    async def _fail(self, failed: Exception) -> None:
        self._publisher.add(failed_run(failed))
        await self._end(ClaimsStatus.FAILED)

    async def _end(self, status: ClaimsStatus) -> None:
        at = await self._read_clock()
        metrics = replace(self._metrics, total_ms=(at - self._begun) * 1000)
        checks = self._publisher.run.checks
        ended = ClaimsEnded(
            status=status, metrics=metrics, coverage=coverage(checks, metrics), at=datetime.fromtimestamp(at, UTC)
        )
        await self._publisher.save_and_publish(ended)
        logger.info("A check of claims has ended: %s after %.1f s, %d claims", status.value, at - self._begun, len(checks))
