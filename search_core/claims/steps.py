"""The steps of a run of claims: each does one thing, stores what it found and returns a typed outcome.

A step does not raise for what it does: what failed is in its outcome. Work the user no longer wants is cancelled at once.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from search_core.claims.ordered_semaphore import OrderedSemaphore
from search_core.claims.outcomes import FINDING, CheckOutcome, NewsOutcome, finding_key
from search_core.claims.parts import CheckedClaim, ClaimsParts
from search_core.claims.progress_control import ProgressControl
from search_core.claims.store import ClaimsStore
from search_core.domain import Claim, ClaimCheck, ClaimsRequest, ClaimState
from search_core.durable_runs.attempt import WorkFailedError, attempt
from search_core.durable_runs.control import Interrupted, run_until
from search_core.durable_runs.run_kind import RunKind
from search_core.durable_runs.run_steps import RunSteps
from search_core.errors import MaekrakError
from search_core.runtime import call_on, run_on

logger = logging.getLogger(__name__)
ClaimsKind = RunKind[ClaimsParts, ClaimsStore]
_UNEXPECTED = "예상하지 못한 문제가 생겨서 확인하지 못했어요. 이어서 확인하면 이 말부터 다시 확인해요."


class ClaimsSteps(RunSteps):
    """Takes the steps of one workflow of a run."""

    def __init__(self, kind: ClaimsKind, run_id: str, request: ClaimsRequest, control: ProgressControl) -> None:
        super().__init__(kind, run_id, control)
        self._parts = kind.parts
        self._loop = kind.loop
        self._request = request
        self._progress = control
        self.search_slots = OrderedSemaphore(kind.parts.limits.claims_at_once)
        """To be searched for; asked for before ``check`` is called, and ended when pages are read, or earlier."""

    async def next_news(self, after: int) -> NewsOutcome:
        """Wait for commands above a number, or for a check to come further."""
        commands, progress = await self._progress.wait_for_news(after)
        return NewsOutcome(commands=tuple(commands), progress=tuple(progress))

    async def check(self, claim: Claim) -> CheckOutcome:
        """Check a claim when its turn comes and store the outcome, or return the stored one."""
        key = finding_key(claim.text)
        try:
            await run_until(self.search_slots.wait(claim.number), self._control.finish)
            if self._control.finish.is_set():  # the slot was granted in the same moment
                raise Interrupted
            stored = await self._find(key, FINDING)
            if stored is not None:
                return CheckOutcome(check=replace(stored, claim=claim))
            checked = await attempt(run_until(self._check(claim), self._control.stop))
        except Interrupted:
            return CheckOutcome(interrupted=True)
        except WorkFailedError as failed:
            expected = isinstance(failed.cause, MaekrakError | TimeoutError)
            logger.warning("The check of a claim failed: %s", failed, exc_info=None if expected else failed.cause)
            return CheckOutcome(check=ClaimCheck(claim=claim, state=ClaimState.FAILED, failure=failed.korean or _UNEXPECTED))
        finally:
            self.search_slots.release(claim.number)
        if checked.check.state is ClaimState.CHECKED:
            await self._save(key, FINDING, checked.check)
        return CheckOutcome(
            check=checked.check,
            search_ms=checked.search_ms,
            reading_ms=checked.reading_ms,
            comparison_ms=checked.comparison_ms,
            searches=checked.searches,
            pages=checked.pages,
            judging=checked.judging,
        )

    async def _check(self, claim: Claim) -> CheckedClaim:
        own_loop = asyncio.get_running_loop()

        def report_check(check: ClaimCheck) -> None:
            if check.state is not ClaimState.SEARCHING:
                self.search_slots.release(claim.number)
            self._progress.add_check(check)

        checker, request = self._parts.checker, self._request
        async with asyncio.timeout(self._parts.limits.claim_timeout_s):
            return await run_on(
                self._loop,
                lambda: checker.check(
                    claim, request.video, fresh=request.fresh, report=lambda check: call_on(own_loop, report_check, check)
                ),
            )
