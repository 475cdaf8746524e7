"""A check of claims as a DBOS workflow: several claims in parallel, in order, cut short by the user's commands.

A change of the steps' order or outcomes means a new ``engine.VERSION``; see ``RunWorkflow``.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from dbos import DBOS

from search_core.checking.parts import CLAIMS, CheckOutcome, ClaimsParts, NewsOutcome
from search_core.domain.claim import (
    Claim,
    ClaimCheck,
    ClaimsEnded,
    ClaimsEntry,
    ClaimsEvent,
    ClaimsMetrics,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimsStatusChanged,
    ClaimState,
    ClaimUpdated,
    Settlement,
)
from search_core.domain.research import SEARCH_FAILED
from search_core.domain.run import RunFailed
from search_core.domain.video import VideoContext, video_key
from search_core.errors import MaekrakError
from search_core.runs.control import (
    CancelledByUser,
    Command,
    CommandKind,
    CommandsOutcome,
    Control,
    StepOutcome,
    WorkFailedError,
    attempt,
    run_until,
)
from search_core.runs.run_kind import StoredRun
from search_core.runs.run_workflow import MAX_ATTEMPTS, RunSteps, RunWorkflow, start_step, work_on_run
from search_core.runs.store import AnyRow, AnyService, RunStore
from search_core.runtime import call_on, run_on
from search_core.search.presenting.wording import judging_text
from search_core.storage.json_codec import JsonCodec
from search_core.storage.tables import CLAIMS_TABLES


class ClaimsStore(RunStore[ClaimsRequest, ClaimsRun, ClaimsEvent, ClaimsEntry]):
    """Stores checks of claims."""

    kind = CLAIMS
    tables = CLAIMS_TABLES

    def _columns_of(self, request: ClaimsRequest) -> dict[str, object]:
        return {
            "video_key": video_key(request.video),
            "title": request.video.title,
            "claims": len(request.claims),
        }

    def settled(self, run: ClaimsRun) -> dict[int, Settlement]:
        """Return the owner's verdicts on the claims of *run*, by number."""
        keys = {_settled_key(check.claim.number): check.claim.number for check in run.checks}
        bodies = self.find(run.id, list(keys))
        return {keys[key]: Settlement(str(body)) for key, body in bodies.items() if body in set(Settlement)}

    def settle(self, run_id: str, number: int, settled: Settlement | None) -> None:
        """Store the owner's verdict on a claim, replacing an earlier one."""
        self.save_findings(run_id, {_settled_key(number): settled.value if settled is not None else ""})

    def _entry(self, row: AnyRow) -> ClaimsEntry:
        return ClaimsEntry(
            id=row.id,
            title=row.title,
            status=ClaimsStatus(self.kind.status(row.status)),
            claims=row.claims,
            video_key=row.video_key,
            created_at=row.created_at,
            ended_at=row.ended_at,
        )

    def _known_of_request(self, row: AnyRow) -> dict[str, object]:
        return {"owner": row.owner, "video": VideoContext(title=row.title), "claims": ()}


logger = logging.getLogger(__name__)
_UNEXPECTED = "예상하지 못한 문제가 생겨서 확인하지 못했어요. 이어서 확인하면 이 말부터 다시 확인해요."


FINDING = JsonCodec(ClaimCheck)
"""Reads and writes the stored checks of a run, which it reuses when it is resumed."""
TOGETHER_S = 0.15


def _settled_key(number: int) -> str:
    return f"settled:{number}"


def finding_key(text: str) -> str:
    """Return the key of a claim's check, made of its wording."""
    return f"claim:{text}"


class OrderedSemaphore:
    """Grants a bounded number of slots, in the order of ``enqueue``; belongs to one event loop.

    Steps that DBOS starts in order may begin their work in another: a slot is requested when the step is started.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._queue: dict[int, asyncio.Event] = {}
        """Waiting claims by number; the event of a claim is set once it gets its slot."""

    def enqueue(self, number: int) -> None:
        """Request a slot for a claim."""
        self._queue[number] = asyncio.Event()
        self._grant()

    async def wait(self, number: int) -> None:
        """Wait until the claim gets its slot."""
        await self._queue[number].wait()

    def release(self, number: int) -> None:
        """Release the slot of a claim, or cancel its request for one; a second call does nothing."""
        if self._queue.pop(number, None) is not None:
            self._grant()

    def _grant(self) -> None:
        for event in list(self._queue.values())[: self._at_once]:
            event.set()


class ProgressControl(Control):
    """Holds the commands and the progress of one run; belongs to its loop."""

    def __init__(self) -> None:
        super().__init__()
        self._progress: dict[int, ClaimCheck] = {}
        """The newest progress of each claim, by the claim's number."""

    def add_check(self, check: ClaimCheck) -> None:
        """Add the progress of the check of a claim."""
        self._progress[check.claim.number] = check
        self._arrived.set()

    async def wait_for_news(self, after: int) -> tuple[list[Command], list[ClaimCheck]]:
        """Wait for new commands (above number *after*) or progress, and return both; two empty lists once this control is closed.

        Progress that comes within ``TOGETHER_S`` is returned in one call, because the caller stores each call's result.
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
    """The steps of one workflow of a check."""

    listens = NewsOutcome
    _parts: ClaimsParts
    _request: ClaimsRequest
    _control: ProgressControl

    def __init__(self, service: AnyService, run: StoredRun[ClaimsRequest, ClaimsRun], control: ProgressControl) -> None:
        super().__init__(service, run, control)
        self.search_slots = OrderedSemaphore(self._parts.limits.claims_at_once)
        """Slots for searching, each requested before ``check`` is called and released at the latest when pages are being read."""

    async def listen(self, after: int) -> NewsOutcome:
        """Wait for commands numbered above *after*, or for progress of a check."""
        commands, progress = await self._control.wait_for_news(after)
        return NewsOutcome(commands=tuple(commands), progress=tuple(progress))

    async def check(self, claim: Claim) -> CheckOutcome:
        """Check a claim when its turn comes and store the outcome, or return the stored one."""
        key = finding_key(claim.text)
        try:
            await run_until(self.search_slots.wait(claim.number), self._control.finish)
            if self._control.finish.is_set():  # the slot was granted in the same moment
                raise CancelledByUser
            stored = await self._find(key, FINDING)
            if stored is not None:
                return CheckOutcome(check=replace(stored, claim=claim))
            checked = await attempt(run_until(self._check(claim), self._control.stop))
        except CancelledByUser:
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
            self._control.add_check(check)

        check, request = self._parts.check, self._request
        async with asyncio.timeout(self._parts.limits.claim_timeout_s):
            return await run_on(
                self._loop,
                lambda: check(
                    claim, request.video, fresh=request.fresh, report=lambda found: call_on(own_loop, report_check, found)
                ),
            )


_FOUND = re.compile(r"\d+건")
_REASONS = re.compile(r" \(.*\)(?=\.$)")
"""The bracketed end of a service's sentence (results and time), which differs from claim to claim."""
_NOT_CHECKED = "확인하지 못했어요."


def coverage(checks: Sequence[ClaimCheck], metrics: ClaimsMetrics) -> tuple[str, ...]:
    """Return Korean sentences: how many claims were compared, why others were not, and which services answered."""
    states = Counter(check.state for check in checks)
    compared = sum(check.state is ClaimState.CHECKED and not all(source.own for source in check.sources) for check in checks)
    lines = [f"주장 {len(checks)}개 중 {compared}개를 웹과 비교했어요."]
    failures = Counter(_REASONS.sub("", check.failure) for check in checks if check.state is ClaimState.FAILED)
    for failure, count in failures.most_common():
        reason = failure if failure.endswith(_NOT_CHECKED) else f"{_NOT_CHECKED} {failure}"
        lines.append(f"주장 {count}개는 {reason}".strip())
    if unfound := states[ClaimState.CHECKED] - compared:
        lines.append(f"주장 {unfound}개는 웹에서 찾아봤지만 비교할 자료가 없었어요.")
    if states[ClaimState.LEFT_OUT]:
        lines.append(f"주장 {states[ClaimState.LEFT_OUT]}개는 남겨 두었어요. 이어서 확인할 수 있어요.")
    lines.extend(_pages(checks, metrics))
    lines.extend(judging_text(metrics.judging))
    asked = Counter(_answer_of(service) for check in checks for service in check.services)
    lines.extend(f"{service} (주장 {count}개)" for service, count in asked.most_common())
    return tuple(lines)


def _answer_of(service: str) -> str:
    """Return a service's sentence without the number of results and the time it took."""
    label, _, answer = service.partition(": ")
    return f"{label}: 결과를 찾았어요." if _FOUND.match(answer) else service


def _pages(checks: Sequence[ClaimCheck], metrics: ClaimsMetrics) -> list[str]:
    # Of the sources that are one page that of the claim counts for which most was read of it.
    of_all = sorted((source for check in checks for source in check.sources), key=lambda one: (None, False, True).index(one.read))
    each_once = {(source.url, source.own): source for source in of_all}.values()
    sources = [source for source in each_once if not source.own]
    own = sum(source.own for source in each_once)
    beside = [f"내 자료 {own}건은 따로 비교하고 웹으로 세지 않았어요."] if own else []
    read, unread = (sum(source.read is state for source in sources) for state in (True, False))
    searched = f"검색 요청 {metrics.searches}번"
    if not sources:
        return [f"{searched}."] * bool(metrics.searches) + beside
    failed = f", 읽지 못한 페이지 {unread}쪽" if unread else ""
    snippets = sum(source.read is None for source in sources)
    only = f", 요약만 본 자료 {snippets}개" if snippets else ""
    return [f"{searched}, 본문까지 읽은 페이지 {read}쪽{failed}{only}.", *beside]


_CHECKING = "주장을 하나씩 웹과 비교하고 있어요."
_ORDER = (ClaimState.WAITING, ClaimState.SEARCHING, ClaimState.READING)
"""States before the end, in the order in which a check goes through them."""
_BEFORE_READING = _ORDER[:2]
_NOBODY_ASKED = RunFailed(
    kind=SEARCH_FAILED,
    description="No search service of the web answered for any claim. Check the network and the services.",
    korean="어느 주장도 웹에서 찾아보지 못했어요. 네트워크 연결과 검색 서비스 설정을 확인하고 다시 시도해 주세요.",
)


@DBOS.workflow(name="maekrak_claims", max_recovery_attempts=MAX_ATTEMPTS)
async def check_claims(run_id: str, workflow_id: str) -> None:
    """Work on a run to its end."""
    await work_on_run("claims", run_id, workflow_id, _ClaimsWorkflow, ProgressControl())


class _ClaimsWorkflow(RunWorkflow[ClaimsRequest, ClaimsRun, ClaimsEvent, ClaimsStatus, ClaimsSteps]):
    steps_type = ClaimsSteps
    failed = ClaimsStatus.FAILED

    def __init__(
        self, service: AnyService, run: StoredRun[ClaimsRequest, ClaimsRun], workflow_id: str, control: ProgressControl
    ) -> None:
        super().__init__(service, run, workflow_id, control)
        self._metrics = ClaimsMetrics()
        self._waiting: list[Claim] = []
        self._checking: dict[asyncio.Task[CheckOutcome], Claim] = {}
        self._interrupted = False
        """True once a user's command has interrupted a check, even if the command itself has not arrived here yet."""

    async def _work(self) -> None:
        if self._halted_by is None:
            self._publisher.add(ClaimsStatusChanged(status=ClaimsStatus.CHECKING, message=_CHECKING))
        await self._work_side_by_side()
        status = self._status()
        if status is ClaimsStatus.FAILED:
            self._publisher.add(_NOBODY_ASKED)
        await self._end(status)

    def _status(self) -> ClaimsStatus:
        """Return the final status, which is COMPLETE even if the user stopped the run after its last claim was checked."""
        states = {check.state for check in self._checks}
        if ClaimState.LEFT_OUT in states and self._halted_by is CommandKind.STOP:
            return ClaimsStatus.STOPPED
        if ClaimState.FAILED in states and ClaimState.CHECKED not in states:
            return ClaimsStatus.FAILED
        return ClaimsStatus.FINISHED_EARLY if ClaimState.LEFT_OUT in states else ClaimsStatus.COMPLETE

    def _last_event(self, status: ClaimsStatus, total_ms: float, at: datetime) -> ClaimsEnded:
        metrics = replace(self._metrics, total_ms=total_ms)
        return ClaimsEnded(status=status, metrics=metrics, coverage=coverage(self._checks, metrics), at=at)

    def _begin(self) -> None:
        self._waiting = [check.claim for check in self._checks]
        self._listen()
        self._check_next()

    def _under_way(self) -> list[asyncio.Task[StepOutcome]]:
        return list(self._checking)

    async def _wait_for_next(self) -> None:
        await super()._wait_for_next()
        self._check_next()

    async def _take(self, done: Collection[Awaitable[StepOutcome]]) -> None:
        for task in [task for task in self._checking if task in done]:
            claim = self._checking.pop(task)
            # A step that had ended before the workflow was taken up again never had its slot.
            self._steps.search_slots.release(claim.number)
            outcome = task.result()
            self._interrupted = self._interrupted or outcome.interrupted
            if outcome.check is not None:
                self._metrics = outcome.added_to(self._metrics)
                self._publish(replace(outcome.check, claim=claim))

    def _check_next(self) -> None:
        """Start the steps of the next claims, and publish which ones are searched for.

        Twice as many steps are started as claims are searched for at once: pages of some are read while others are searched for,
        and DBOS's writes between two steps delay no check.
        """
        if self._halted_by is not None or self._interrupted:
            return
        while self._waiting and len(self._checking) < 2 * self._parts.limits.claims_at_once:
            claim = self._waiting.pop(0)
            self._steps.search_slots.enqueue(claim.number)
            self._checking[start_step(CheckOutcome, self._now, self._steps.check, claim)] = claim
        begun = {claim.number for claim in self._checking.values()}
        unread = [check for check in self._checks if check.claim.number in begun and check.state in _BEFORE_READING]
        for check in unread[: self._parts.limits.claims_at_once]:
            if check.state is ClaimState.WAITING:
                self._publish(replace(check, state=ClaimState.SEARCHING))

    def _obey(self, heard: CommandsOutcome) -> None:
        assert isinstance(heard, NewsOutcome)
        for check in heard.progress:
            self._apply_progress(check)
        super()._obey(heard)
        if heard.progress and not heard.commands:
            self._listen()

    def _apply_progress(self, check: ClaimCheck) -> None:
        """Publish how far a check is, except what a check that is run again has already published."""
        earlier = next((other for other in self._checks if other.claim.number == check.claim.number), None)
        if earlier is None or earlier.state not in _ORDER or check.state not in _ORDER:
            return
        if check != earlier and _ORDER.index(check.state) >= _ORDER.index(earlier.state):
            self._publish(check)

    def _publish(self, check: ClaimCheck) -> None:
        self._publisher.add(ClaimUpdated(check=check))

    def _leave_out(self) -> None:
        for check in self._checks:
            if check.state in _ORDER:
                self._publish(replace(check, state=ClaimState.LEFT_OUT))

    @property
    def _checks(self) -> tuple[ClaimCheck, ...]:
        return self._publisher.run.checks
