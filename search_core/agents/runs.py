"""Long runs for agents: research and checks are started and get an id; looking at one waits a little."""

from __future__ import annotations

from typing import TYPE_CHECKING

from search_core.agents.replies import ADVICE, OWNER, STOPPING_S, Call, Status, ToolResult
from search_core.agents.videos import ReferencedVideo
from search_core.domain.claim import ClaimCheck, ClaimsRun, ClaimsStatus, ClaimState
from search_core.domain.plain_json import fields_json
from search_core.domain.research import SEARCH_FAILED, ResearchRun, ResearchStatus
from search_core.errors import InputError
from search_core.search.presenting.wording import mark_unsupported

if TYPE_CHECKING:
    from search_core.checking.claims.service import ClaimsService
    from search_core.core import SearchCore
    from search_core.research.service import ResearchService

MAX_ROWS = 3
"""Most sources of one claim, the surest ones."""
_STATUSES = {"complete": Status.DONE, "finished_early": Status.PARTIAL, "stopped": Status.STOPPED, "failed": Status.FAILED}
"""The status of a call by that of its run, research or a check of claims."""
_SOURCE = ("number", "title", "url", "domain", "publish_date", "read", "own")
_CHECK = ("state", "verdict", "own_verdict", "independent", "why", "failure")
_ROW = ("stance", "quote", "date", "judge", "probability")


def started(run_id: str, note: str, opened: ReferencedVideo | None) -> ToolResult:
    """Return the reply to a run that was started."""
    return ToolResult(
        status=Status.RUNNING,
        note=f"{note} Call get_run with run_id={run_id}.",
        coverage=("nothing asked yet",),
        facts={"run_id": run_id, "video": opened.reference if opened else ""},
    )


async def wait_for_run(core: SearchCore, run_id: str, wait_s: float, call: Call) -> ToolResult:
    """Return a run's state after at most *wait_s* seconds; raises InputError and RunNotFoundError."""

    def look() -> ResearchRun | ClaimsRun:
        service, own_id = _named(core, run_id)
        run: ResearchRun | ClaimsRun = service.get(own_id, OWNER)
        return run

    return run_reply(await call.look_until(look, lambda run: run.status.ended, wait_s), run_id)


async def stop_run(core: SearchCore, run_id: str, call: Call) -> ToolResult:
    """Stop a run, which ends soon, and return its state; raises InputError and RunNotFoundError."""

    def stop() -> None:
        service, own_id = _named(core, run_id)
        service.cancel(own_id, OWNER)

    await call.run(stop)
    return await wait_for_run(core, run_id, STOPPING_S, call)


def _named(core: SearchCore, run_id: str) -> tuple[ResearchService | ClaimsService, str]:
    """Return the service of the run *run_id* and its id there; raises InputError for an unknown one."""
    kind, _, own_id = run_id.partition(".")
    if kind not in ("research", "claims") or not own_id:
        raise InputError(
            "This is no run_id. Give one as start_research returned it, unchanged.",
            korean="조사의 ID가 아니에요. 받은 run_id를 그대로 넣어 주세요.",
        )
    return core.claims if kind == "claims" else core.research, own_id


def run_reply(run: ResearchRun | ClaimsRun, run_id: str) -> ToolResult:
    """Return the state of *run*."""
    if isinstance(run, ResearchRun):
        status, long, data = _research_status(run), "report", _research_json(run)
        parts = {f"subtask {entry.number}": entry.state.value for entry in run.plan}
    else:
        status, long, data = _check_status(run), "checks", {"checks": [_check_json(check) for check in run.checks]}
        parts = {f"claim {check.claim.id}": check.state.value for check in run.checks}
    advice = f"Call get_run with run_id={run_id} again." if status is Status.RUNNING else ADVICE[status]
    unasked = sum(state == ClaimState.FAILED.value for state in parts.values())  # which subtasks have, too
    silent = f"For {unasked} of {len(parts)} parts no service of the web answered." if unasked else ""
    return ToolResult(
        status=status,
        note=" ".join(filter(None, (run.message, advice, silent, *(entry.korean for entry in run.failures)))),
        coverage=[f"{part}: {state}" for part, state in parts.items()],
        facts={"run_id": run_id, "state": run.status.value},
        data={**data, "coverage": list(run.coverage)},
        long=long,
        error=status is Status.FAILED,
    )


def _research_status(run: ResearchRun) -> Status:
    if run.search_failed:
        return Status.COULD_NOT_ASK
    if run.status is ResearchStatus.COMPLETE and all(source.own for source in run.sources):
        return Status.BELOW_THRESHOLD if any(subtask.below_threshold for subtask in run.plan) else Status.FOUND_NONE
    read = {source.read for source in run.sources}
    if run.status is ResearchStatus.COMPLETE and False in read and True not in read:
        return Status.COULD_NOT_READ
    return _STATUSES.get(run.status, Status.RUNNING)


def _research_json(run: ResearchRun) -> dict[str, object]:
    """Return the report, its cited sources and the plan; only the plan while the report is being written."""
    plan = [fields_json(subtask, "number", "text", "state", "found") for subtask in run.plan]
    if not run.status.ended:
        return {"plan": plan}
    sources = [source for source in run.sources if source.number in run.cited or not run.cited]
    return {
        "report": mark_unsupported(run.shown_report, run.unsupported),
        "report_note": run.report_note,
        "sources": [fields_json(source, *_SOURCE) for source in sources],
        "plan": plan,
    }


def _check_status(run: ClaimsRun) -> Status:
    if not run.status.ended:
        return Status.RUNNING
    failed = all(check.state is ClaimState.FAILED for check in run.checks)
    if failed or any(failure.kind == SEARCH_FAILED for failure in run.failures):
        return Status.COULD_NOT_ASK
    if run.status is ClaimsStatus.COMPLETE and not any(check.sources for check in run.checks):
        return Status.BELOW_THRESHOLD if any(check.below_threshold for check in run.checks) else Status.FOUND_NONE
    return _STATUSES[run.status]


def _check_json(check: ClaimCheck) -> dict[str, object]:
    rows = [
        {**fields_json(row, *_ROW), **fields_json(check.sources[row.source], "url", "own", "speakers_own")}
        for row in check.rows[:MAX_ROWS]
    ]
    return {**fields_json(check.claim, "id", "text", "start_s"), **fields_json(check, *_CHECK), "rows": rows}
