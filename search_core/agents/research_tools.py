"""The tools of deep research: a run is started and its id returned at once; looking at it waits a little."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from search_core.agents.calls import Call
from search_core.agents.material import Item, address, one_line, text_items
from search_core.agents.replies import Reply, Status, note_of
from search_core.agents.run_ids import RunId, RunKind
from search_core.agents.videos import OpenedVideo
from search_core.domain import ResearchRequest, ResearchRun, ResearchSource, ResearchStatus, Subtask
from search_core.presenting.wording import mark_unsupported

if TYPE_CHECKING:
    from search_core.core import SearchCore

_STATUSES = {
    ResearchStatus.COMPLETE: Status.DONE,
    ResearchStatus.FINISHED_EARLY: Status.PARTIAL,
    ResearchStatus.STOPPED: Status.STOPPED,
    ResearchStatus.FAILED: Status.FAILED,
}


def start_research(core: SearchCore, question: str, opened: OpenedVideo | None, call: Call, *, own_only: bool) -> Reply:
    """Start a run and return its id at once; raises InputError for a question that cannot be researched."""
    call.report("Starting the research.")
    request = ResearchRequest(
        question=question, video=opened.video if opened else None, owner=call.caller.owner, own_only=own_only
    )
    run_id = str(RunId(RunKind.RESEARCH, core.research.start(request).id))
    return Reply(
        status=Status.RUNNING,
        note=f"Started; it takes a minute or more and outlives this connection. Call get_run with run_id={run_id}.",
        coverage=("nothing asked yet",),
        facts={"run_id": run_id, "video": opened.reference if opened else ""},
    )


def wait_for_research(core: SearchCore, run_id: RunId, page: int, wait_s: float, call: Call) -> Reply:
    """Return a page of a run as it stands after at most *wait_s* seconds; raises RunNotFoundError."""

    def look() -> ResearchRun:
        run = core.research.get(run_id.id, call.caller.owner)
        call.report(one_line(f"{run.status}: {run.message} ({run.count})", 200))
        return run

    return research_reply(call.look_until(look, lambda run: run.status.ended, wait_s), str(run_id), page)


def research_reply(run: ResearchRun, run_id: str, page: int) -> Reply:
    """Return a page of *run* as it stands."""
    status = _status(run)
    return Reply(
        status=status,
        note=note_of(_advice(status, run, run_id), run.report_note, *(failure.korean for failure in run.failures)),
        coverage=_coverage(run),
        facts={"run_id": run_id, "state": run.status.value, "report": f"maekrak://report/{run.id}" if run.report else ""},
        items=tuple(_items(run)),
        page=page,
        how_to_page=f"get_run with run_id={run_id} and ",
        error=status is Status.FAILED,
    )


def _coverage(run: ResearchRun) -> tuple[str, ...]:
    """Return the ledger, each subtask by its number: its text may be a model's, and stands with the material."""
    if not run.coverage:
        return tuple(f"subtask {each.number}: {each.state}, {each.found} sources" for each in run.plan)
    lines = run.coverage
    for each in run.plan:
        lines = tuple(line.replace(f"{each.number}. {each.text}", f"subtask {each.number}") for line in lines)
    return lines


def _status(run: ResearchRun) -> Status:
    if run.search_failed:
        return Status.COULD_NOT_ASK
    if run.status is ResearchStatus.COMPLETE and not run.sources:
        return Status.FOUND_NONE
    if run.status is ResearchStatus.COMPLETE and _tried(run) and not any(source.read for source in run.sources):
        return Status.COULD_NOT_READ
    return _STATUSES.get(run.status, Status.RUNNING)


def _tried(run: ResearchRun) -> bool:
    return any(source.read is False for source in run.sources)


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


def _advice(status: Status, run: ResearchRun, run_id: str) -> str:
    if status is not Status.RUNNING:
        return _ADVICE[status]
    if run.status is ResearchStatus.PLANNED:
        return "It waits with its plan for the user, who agrees on the page."
    return f"Still {run.status}. Call get_run with run_id={run_id} again."


_ADVICE = {
    Status.DONE: "The report is complete; every sentence cites its source by number.",
    Status.PARTIAL: "Ended early by the user: a report from what there was.",
    Status.STOPPED: "Stopped by the user; what there was stands.",
    Status.FOUND_NONE: "The web was asked and has nothing on this. Start again with other words.",
    Status.COULD_NOT_ASK: "No search service of the web answered; that says nothing about what the web has. Start again later.",
    Status.COULD_NOT_READ: "Sources were found, and none of their pages could be read: the report rests on snippets.",
    Status.FAILED: "The research failed. Start it again.",
}
