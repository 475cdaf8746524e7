"""Checks of the claims of a video: started by their numbers, looked at under an id."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from search_core.agents.answer_items import judge_words
from search_core.agents.calls import Call
from search_core.agents.material import Item, address, one_line
from search_core.agents.replies import Reply, Status, note_of
from search_core.agents.run_ids import RunId, RunKind
from search_core.agents.videos import OpenedVideo
from search_core.domain import (
    SEARCH_FAILED,
    ClaimCheck,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimState,
    FoundClaims,
    StanceRow,
)
from search_core.errors import InputError
from search_core.video_time import clock

if TYPE_CHECKING:
    from search_core.core import SearchCore

MAX_ROWS = 3
"""Of one claim, the surest."""
_STATUSES = {
    ClaimsStatus.COMPLETE: Status.DONE,
    ClaimsStatus.FINISHED_EARLY: Status.PARTIAL,
    ClaimsStatus.STOPPED: Status.STOPPED,
    ClaimsStatus.FAILED: Status.FAILED,
}


def start_check(core: SearchCore, opened: OpenedVideo, found: FoundClaims, numbers: Collection[int], call: Call) -> Reply:
    """Start to check claims by their numbers and return the run's id at once.

    Raises InputError for numbers that no claim has, and for more claims than are checked at once.
    """
    chosen = tuple(claim for claim in found.claims if claim.number in numbers)
    missing = sorted(set(numbers) - {claim.number for claim in chosen})
    if missing:
        raise InputError(
            f"There is no claim {', '.join(map(str, missing[:10]))}; find_claims lists their numbers.",
            korean="그 번호의 주장이 없어요. find_claims로 번호를 확인해 주세요.",
        )
    call.report("Starting the check.")
    budget = core.claims.budget(chosen)
    run = core.claims.start(ClaimsRequest(video=opened.video, claims=chosen, owner=call.caller.owner))
    run_id = str(RunId(RunKind.CLAIMS, run.id))
    return Reply(
        status=Status.RUNNING,
        note=f"Started: {budget.claims} claims, at most {budget.searches} searches, {budget.paid} of them paid. "
        f"Call get_run with run_id={run_id}.",
        coverage=("nothing asked yet",),
        facts={"run_id": run_id, "video": opened.reference},
    )


def wait_for_check(core: SearchCore, run_id: RunId, page: int, wait_s: float, call: Call) -> Reply:
    """Return a page of a run as it stands after at most *wait_s* seconds; raises RunNotFoundError."""

    def look() -> ClaimsRun:
        run = core.claims.get(run_id.id, call.caller.owner)
        call.report(f"{_count(run)} of {len(run.checks)} claims checked")
        return run

    return check_reply(call.look_until(look, lambda run: run.status.ended, wait_s), str(run_id), page)


def check_reply(run: ClaimsRun, run_id: str, page: int) -> Reply:
    """Return a page of *run* as it stands."""
    status = _status(run)
    asked = tuple(f"claim {check.claim.number}: {check.state}" for check in run.checks)
    return Reply(
        status=status,
        note=note_of(_advice(status, run, run_id), *(failure.korean for failure in run.failures)),
        coverage=run.coverage or asked,
        facts={"run_id": run_id, "state": run.status.value},
        items=tuple(map(_item, run.checks)),
        page=page,
        how_to_page=f"get_run with run_id={run_id} and ",
        error=status is Status.FAILED,
    )


def _count(run: ClaimsRun) -> int:
    return sum(check.state is ClaimState.CHECKED for check in run.checks)


def _status(run: ClaimsRun) -> Status:
    if not run.status.ended:
        return Status.RUNNING
    failed = all(check.state is ClaimState.FAILED for check in run.checks)
    if failed or any(failure.kind == SEARCH_FAILED for failure in run.failures):
        return Status.COULD_NOT_ASK
    if run.status is ClaimsStatus.COMPLETE and not any(check.sources for check in run.checks):
        return Status.FOUND_NONE
    return _STATUSES[run.status]


def _item(check: ClaimCheck) -> Item:
    claim, rows = check.claim, check.rows[:MAX_ROWS]
    text, why = one_line(claim.text, 240), one_line(check.why or check.failure, 200)
    value = {
        "n": claim.number,
        "text": text,
        "at_s": [round(moment.start_s, 1) for moment in claim.places[:1]],
        "state": check.state.value,
        "verdict": check.verdict.value if check.verdict else None,
        "independent": check.independent,
        "why": why,
        "rows": [_row(check, row) for row in rows],
    }
    places = clock(claim.places[0].start_s) if claim.places else "no time" if claim.moments else "added"
    verdict = f"{check.verdict} by {check.independent} independent sources" if check.verdict else str(check.state)
    return Item("checks", value, "\n".join((f"{claim.number}. [{places}] {verdict}: {text}", why, *_lines(check, rows))).strip())


def _row(check: ClaimCheck, row: StanceRow) -> dict[str, object]:
    source = check.sources[row.source]
    date = row.date.date().isoformat() if row.date else None
    fields: dict[str, object] = {
        "stance": row.stance.value,
        "found": one_line(row.quote, 160),
        "url": address(source.url),
        "date": date,
        "judge": row.judge.value,
        "probability": None if row.probability is None else round(row.probability, 2),
    }
    return {name: value for name, value in fields.items() if value is not None} | ({"own": True} if source.own else {})


def _lines(check: ClaimCheck, rows: tuple[StanceRow, ...]) -> Iterator[str]:
    for row in rows:
        source = check.sources[row.source]
        kind = " (own document, not the web)" if source.own else " (the video's own side)" if source.speakers_own else ""
        yield f"- {row.stance}{kind} by {judge_words(row)}: “{one_line(row.quote, 160)}” {address(source.url)}"


def _advice(status: Status, run: ClaimsRun, run_id: str) -> str:
    if status is Status.RUNNING:
        return f"{_count(run)} of {len(run.checks)} claims checked so far. Call get_run with run_id={run_id} again."
    return _ADVICE[status]


_ADVICE = {
    Status.DONE: "Each claim has a verdict, each row its judge; cannot_tell says nothing either way, and failed: could not ask.",
    Status.PARTIAL: "Ended early by the user: the claims that were checked by then.",
    Status.STOPPED: "Stopped by the user; what was checked stands.",
    Status.FOUND_NONE: "The web was asked and has nothing on any of these claims.",
    Status.COULD_NOT_ASK: "No search service of the web answered; that says nothing about the claims. Start again later.",
    Status.FAILED: "The check failed. Start it again.",
}
