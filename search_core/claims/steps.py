"""The steps of a run of claims: each does one thing, stores what it found and returns a typed outcome.

A step does not raise for what it does: what failed is in its outcome. Work the user no longer wants is cancelled at once.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.claims.parts import CheckOutcome, ClaimsParts, NewsOutcome
from search_core.claims.store import ClaimsStore
from search_core.domain import Claim, ClaimCheck, ClaimsEvent, ClaimsRequest, ClaimsRun, ClaimState
from search_core.durable_runs.control import Command, Control, Interrupted, WorkFailedError, attempt, run_until
from search_core.durable_runs.run_segment import RunSteps
from search_core.durable_runs.run_service import RunService
from search_core.errors import MaekrakError
from search_core.runtime import call_on, run_on
from search_core.storage.json_codec import JsonCodec

if TYPE_CHECKING:
    pass

logger = logging.getLogger(__name__)
ClaimsRuns = RunService[ClaimsRequest, ClaimsRun, ClaimsEvent, ClaimsStore, ClaimsParts]
_UNEXPECTED = "예상하지 못한 문제가 생겨서 확인하지 못했어요. 이어서 확인하면 이 말부터 다시 확인해요."


FINDING = JsonCodec(ClaimCheck)
"""Reads and writes the stored checks of a run, which runs that continue it reuse."""
TOGETHER_S = 0.15


def finding_key(text: str) -> str:
    """Return the key of the check of a claim by its wording."""
    return f"claim:{text}"


class OrderedSemaphore:
    """Grants a bounded number of slots, in the order of ``enqueue``; belongs to one event loop.

    Steps that DBOS starts in order may begin their work in another: a slot is requested when the step is started.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._queue: dict[int, asyncio.Event] = {}
        """By the number of the claim; the event is set once its slot is granted."""

    def enqueue(self, number: int) -> None:
        """Request a slot for a claim."""
        self._queue[number] = asyncio.Event()
        self._grant()

    async def wait(self, number: int) -> None:
        """Wait for the slot of a claim."""
        await self._queue[number].wait()

    def release(self, number: int) -> None:
        """Release the slot of a claim, or cancel its request; a second time does nothing."""
        if self._queue.pop(number, None) is not None:
            self._grant()

    def _grant(self) -> None:
        for event in list(self._queue.values())[: self._at_once]:
            event.set()


class ProgressControl(Control):
    """Holds the commands and the progress of one run; belongs to the loop that works on it."""

    def __init__(self) -> None:
        super().__init__()
        self._progress: dict[int, ClaimCheck] = {}
        """The newest of each claim, by its number."""

    def add_check(self, check: ClaimCheck) -> None:
        """Add the progress of the check of a claim."""
        self._progress[check.claim.number] = check
        self._arrived.set()

    async def wait_for_news(self, after: int) -> tuple[list[Command], list[ClaimCheck]]:
        """Wait for commands above a number or for progress, and return them; neither once the control is closed.

        Progress that comes within ``TOGETHER_S`` is returned together: each piece of news costs a few transactions.
        """
        while not (self._closed or self._progress or self.after(after)):
            self._arrived.clear()
            await self._arrived.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(TOGETHER_S):
                while not (self._closed or self.after(after)):
                    self._arrived.clear()
                    await self._arrived.wait()
        progress, self._progress = list(self._progress.values()), {}
        return self.after(after), progress


class ClaimsSteps(RunSteps):
    """Takes the steps of one workflow of a run."""

    def __init__(self, service: ClaimsRuns, run_id: str, request: ClaimsRequest, control: ProgressControl) -> None:
        super().__init__(service, run_id, control)
        self._parts = service.parts
        self._loop = service.loop
        self._request = request
        self._progress = control
        self.search_slots = OrderedSemaphore(service.parts.limits.claims_at_once)
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
        if checked.check is not None and checked.check.state is ClaimState.CHECKED:
            await self._save(key, FINDING, checked.check)
        return checked

    async def _check(self, claim: Claim) -> CheckOutcome:
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
