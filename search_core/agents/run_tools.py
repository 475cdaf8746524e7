"""The tools of long runs: research and checks of claims are started and named at once; looking at one waits a little."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from search_core.agents import answer_tools
from search_core.agents.arguments import (
    MAX_CLAIMS,
    MAX_QUESTION_CHARS,
    MAX_WAIT_S,
    Handle,
    Page,
    Video,
    entries,
    names,
    result_names,
)
from search_core.agents.calls import STOPPING_S, Call
from search_core.agents.material import Item, address, judge_words, one_line, text_items
from search_core.agents.replies import Reply, RunId, RunKind, Status, note_of, parse_run_id
from search_core.agents.tools import Tool, ToolParts
from search_core.agents.videos import OpenedVideo
from search_core.claims.service import check_claim_ids, claims_by_id
from search_core.domain import (
    SEARCH_FAILED,
    ClaimCheck,
    ClaimsEntry,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimState,
    ResearchEntry,
    ResearchRequest,
    ResearchRun,
    ResearchSource,
    ResearchStatus,
    StanceRow,
    Subtask,
)
from search_core.domain.text_limits import REFERENCE
from search_core.errors import InputError
from search_core.presenting.wording import mark_unsupported
from search_core.text.video_time import clock

if TYPE_CHECKING:
    from search_core.core import SearchCore

MAX_ROWS = 3
"""Of one claim, the surest."""
_STATUSES = {"complete": Status.DONE, "finished_early": Status.PARTIAL, "stopped": Status.STOPPED, "failed": Status.FAILED}
"""By the status of a run of either kind."""
_RESEARCH_ADVICE = {
    Status.DONE: "The report is complete; every sentence cites its source by number.",
    Status.PARTIAL: "Ended early by the user: a report from what there was.",
    Status.STOPPED: "Stopped by the user; what there was stands.",
    Status.FOUND_NONE: "The web was asked and gave no result. Start again with other words.",
    Status.BELOW_THRESHOLD: "The web has results, all below the threshold: search_in_context with weak=true lists them.",
    Status.COULD_NOT_ASK: "No search service of the web answered; that says nothing about what the web has. Start again later.",
    Status.COULD_NOT_READ: "Sources were found, and none of their pages could be read: the report rests on snippets.",
    Status.FAILED: "The research failed. Start it again.",
}
_CHECK_ADVICE = {
    Status.DONE: "Each claim has a verdict, each row its judge; cannot_tell says nothing either way, and failed: could not ask.",
    Status.PARTIAL: "Ended early by the user: the claims that were checked by then.",
    Status.STOPPED: "Stopped by the user; what was checked stands.",
    Status.FOUND_NONE: "The web was asked and gave no result for any of these claims.",
    Status.BELOW_THRESHOLD: "For no claim the web has more than results below the threshold: search_in_context with weak=true "
    "lists them.",
    Status.COULD_NOT_ASK: "No search service of the web answered; that says nothing about the claims. Start again later.",
    Status.FAILED: "The check failed. Start it again.",
}
_STARTED = result_names("run_id")


class StartResearch(Tool):
    """Start a cited report on a question, or a check of a video's claims by ids; returns run_id."""

    name = "start_research"
    result = _STARTED
    read_only = False
    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS)] = ""
    video: Video = ""
    claims: Annotated[list[Annotated[str, Field(max_length=REFERENCE.most)]], Field(max_length=MAX_CLAIMS)] = Field(
        default_factory=list
    )
    own_only: bool = False

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Start one or the other and return its id at once; raises InputError for what cannot be researched or checked."""
        check_claim_ids(self.claims)
        opened = parts.videos.open_if_named(core, self.video, call)
        if self.claims:
            return self._start_check(core, opened, parts, call)
        call.report("Starting the research.")
        video = opened.video if opened else None
        request = ResearchRequest(question=self.question, video=video, owner=call.caller.owner, own_only=self.own_only)
        run_id = RunId(RunKind.RESEARCH, core.research.start(request).id)
        return _started(run_id, "Started; it takes a minute or more and outlives this connection.", opened)

    def _start_check(self, core: SearchCore, opened: OpenedVideo | None, parts: ToolParts, call: Call) -> Reply:
        if opened is None:
            raise InputError("Name the video of the claims.", korean="주장이 나온 영상을 video로 알려 주세요.")
        chosen = claims_by_id(parts.videos.find_claims(core, opened, call), self.claims)
        call.report("Starting the check.")
        budget = core.claims.budget(chosen)
        run = core.claims.start(ClaimsRequest(video=opened.video, claims=tuple(chosen), owner=call.caller.owner))
        note = f"Started: {budget.claims} claims, at most {budget.searches} searches, {budget.paid} of them paid."
        return _started(RunId(RunKind.CLAIMS, run.id), note, opened)


def _started(run_id: RunId, note: str, opened: OpenedVideo | None) -> Reply:
    return Reply(
        status=Status.RUNNING,
        note=f"{note} Call get_run with run_id={run_id}.",
        coverage=("nothing asked yet",),
        facts={"run_id": str(run_id), "video": opened.reference if opened else ""},
    )


class GetRun(Tool):
    """Look at a run_id, waiting up to 25 s for its end; pages of long results."""

    name = "get_run"
    result = result_names("state", data=names("report answer sources"))
    open_world = False
    run_id: Handle
    wait_s: Annotated[float, Field(ge=0, le=MAX_WAIT_S, allow_inf_nan=False)] = 20
    page: Page = 1

    def run(self, core: SearchCore, _: ToolParts, call: Call) -> Reply:
        """Wait for the run and return a page of it."""
        run = parse_run_id(self.run_id)
        wait = answer_tools.wait_for_answer if run.kind is RunKind.ANSWER else wait_for_run
        return wait(core, run, self.page, self.wait_s, call)


class ListRuns(Tool):
    """List reports and checks, newest first."""

    name = "list_runs"
    result = result_names(data=names(runs=entries("run_id about state started")))
    open_world = False
    page: Page = 1

    def run(self, core: SearchCore, _: ToolParts, call: Call) -> Reply:
        """Return a page of the caller's runs of both kinds."""
        owner = call.caller.owner
        entries: list[tuple[RunKind, ResearchEntry | ClaimsEntry]] = [
            *((RunKind.RESEARCH, entry) for entry in core.research.list(owner)),
            *((RunKind.CLAIMS, entry) for entry in core.claims.list(owner)),
        ]
        entries.sort(key=lambda each: each[1].created_at, reverse=True)
        going = sum(not entry.status.ended for _, entry in entries)
        if not entries:
            return Reply(status=Status.FOUND_NONE, note="There are no runs yet; start_research starts one.")
        return Reply(
            status=Status.DONE,
            note=f"{len(entries)} runs, {going} of them under way; get_run looks at one, stop_run stops it.",
            coverage=(f"{len(entries)} runs",),
            items=tuple(_entry(kind, entry) for kind, entry in entries),
            page=self.page,
            how_to_page="list_runs with ",
        )


def _entry(kind: RunKind, entry: ResearchEntry | ClaimsEntry) -> Item:
    if isinstance(entry, ClaimsEntry):
        about = f"{entry.claims} claims of {one_line(entry.title, 120)}"
    else:
        about = one_line(entry.question, 120)
    started = entry.created_at.isoformat(timespec="seconds")
    value = {"run_id": str(RunId(kind, entry.id)), "about": about, "state": entry.status.value, "started": started}
    return Item("runs", value, f"{value['run_id']} {entry.status.value}, started {started}: {about}")


class StopRun(Tool):
    """Stop a run_id; what there is stays."""

    name = "stop_run"
    result = _STARTED
    open_world = False
    read_only = False
    run_id: Handle

    def run(self, core: SearchCore, _: ToolParts, call: Call) -> Reply:
        """Stop the run, whose end follows at once or soon, and return how it stands; raises RunNotFoundError."""
        run = parse_run_id(self.run_id)
        stop = answer_tools.stop_answer if run.kind is RunKind.ANSWER else _stop_run
        return stop(core, run, call)


def _stop_run(core: SearchCore, run_id: RunId, call: Call) -> Reply:
    service = core.claims if run_id.kind is RunKind.CLAIMS else core.research
    run = service.get(run_id.id, call.caller.owner)
    if run.status.ended:
        return run_reply(run, str(run_id), 1)
    call.report("Stopping the run.")
    service.stop(run_id.id, call.caller.owner)
    return wait_for_run(core, run_id, 1, STOPPING_S, call)


def wait_for_run(core: SearchCore, run_id: RunId, page: int, wait_s: float, call: Call) -> Reply:
    """Return a page of a run as it stands after at most *wait_s* seconds; raises RunNotFoundError."""

    def look() -> ResearchRun | ClaimsRun:
        service = core.claims if run_id.kind is RunKind.CLAIMS else core.research
        run = service.get(run_id.id, call.caller.owner)
        call.report(_progress(run))
        return run

    return run_reply(call.look_until(look, lambda run: run.status.ended, wait_s), str(run_id), page)


def _progress(run: ResearchRun | ClaimsRun) -> str:
    if isinstance(run, ClaimsRun):
        return f"{_count(run)} of {len(run.checks)} claims checked"
    return one_line(f"{run.status}: {run.message} ({run.count})", 200)


def run_reply(run: ResearchRun | ClaimsRun, run_id: str, page: int) -> Reply:
    """Return a page of *run* as it stands."""
    facts = {"run_id": run_id, "state": run.status.value}
    if isinstance(run, ClaimsRun):
        status, said = _check_status(run), ""
        coverage = run.coverage or tuple(f"claim {check.claim.id}: {check.state}" for check in run.checks)
        items: Iterator[Item] = map(_check, run.checks)
    else:
        status, said, coverage, items = _research_status(run), run.report_note, _coverage(run), _items(run)
        facts["report"] = f"maekrak://report/{run.id}" if run.report else ""
    return Reply(
        status=status,
        note=note_of(_advice(status, run, run_id), said, *(failure.korean for failure in run.failures)),
        coverage=coverage,
        facts=facts,
        items=tuple(items),
        page=page,
        how_to_page=f"get_run with run_id={run_id} and ",
        error=status is Status.FAILED,
    )


def _advice(status: Status, run: ResearchRun | ClaimsRun, run_id: str) -> str:
    if status is not Status.RUNNING:
        return (_CHECK_ADVICE if isinstance(run, ClaimsRun) else _RESEARCH_ADVICE)[status]
    if isinstance(run, ClaimsRun):
        return f"{_progress(run)} so far. Call get_run with run_id={run_id} again."
    if run.status is ResearchStatus.PLANNED:
        return "It waits with its plan for the user, who agrees on the page."
    return f"Still {run.status}. Call get_run with run_id={run_id} again."


def _coverage(run: ResearchRun) -> tuple[str, ...]:
    """Return the ledger, each subtask by its number: its text may be a model's, and stands with the material."""
    if not run.coverage:
        return tuple(f"subtask {each.number}: {each.state}, {each.found} sources" for each in run.plan)
    lines = run.coverage
    for each in run.plan:
        lines = tuple(line.replace(f"{each.number}. {each.text}", f"subtask {each.number}") for line in lines)
    return lines


def _research_status(run: ResearchRun) -> Status:
    if run.search_failed:
        return Status.COULD_NOT_ASK
    if run.status is ResearchStatus.COMPLETE and not run.sources:
        return Status.BELOW_THRESHOLD if any(each.below_threshold for each in run.plan) else Status.FOUND_NONE
    read = {source.read for source in run.sources}
    if run.status is ResearchStatus.COMPLETE and False in read and True not in read:
        return Status.COULD_NOT_READ
    return _STATUSES.get(run.status, Status.RUNNING)


def _items(run: ResearchRun) -> Iterator[Item]:
    """Yield the report, its sources as it cites them, and the plan; while it is written, the plan alone."""
    if run.status.ended:
        yield from text_items("report", mark_unsupported(run.shown_report, run.unsupported))
        cited = set(run.cited)
        yield from (_source(source) for source in run.sources if source.number in cited or not cited)
    yield from map(_subtask, run.plan)


def _subtask(subtask: Subtask) -> Item:
    text = one_line(subtask.text, 200)
    value = {"n": subtask.number, "text": text, "state": subtask.state.value, "found": subtask.found}
    return Item("plan", value, f"{subtask.number}. {text} ({subtask.state}, {subtask.found} sources)")


def _source(source: ResearchSource) -> Item:
    value = {
        "n": source.number,
        "title": one_line(source.title, 120),
        "url": address(source.url),
        "source": one_line(source.domain, 60),
        "date": source.publish_date.date().isoformat() if source.publish_date else None,
        "read": bool(source.read),
        "own": source.own,
    }
    how = "read" if source.read else "snippet only"
    kind = ", own document" if source.own else ""
    line = f"[{source.number}] {value['title']} ({value['source']}, {value['date'] or 'undated'}, {how}{kind}) {value['url']}"
    return Item("sources", value, line)


def _count(run: ClaimsRun) -> int:
    return sum(check.state is ClaimState.CHECKED for check in run.checks)


def _check_status(run: ClaimsRun) -> Status:
    if not run.status.ended:
        return Status.RUNNING
    failed = all(check.state is ClaimState.FAILED for check in run.checks)
    if failed or any(failure.kind == SEARCH_FAILED for failure in run.failures):
        return Status.COULD_NOT_ASK
    if run.status is ClaimsStatus.COMPLETE and not any(check.sources for check in run.checks):
        return Status.BELOW_THRESHOLD if any(check.below_threshold for check in run.checks) else Status.FOUND_NONE
    return _STATUSES[run.status]


def _check(check: ClaimCheck) -> Item:
    claim, rows = check.claim, check.rows[:MAX_ROWS]
    text, why = one_line(claim.text, 240), one_line(check.why or check.failure, 200)
    value = {
        "id": claim.id,
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
    return Item("checks", value, "\n".join((f"{claim.id} [{places}] {verdict}: {text}", why, *_lines(check, rows))).strip())


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
