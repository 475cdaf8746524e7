"""Web search in the context of a video, for agents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.agents.replies import ADVICE, NO_USE, UNASKED, Call, Status, ToolResult
from search_core.domain.plain_json import fields_json
from search_core.domain.reply import SearchStatus
from search_core.domain.report import Question, ReportOutcome, SearchReport
from search_core.domain.result import SearchResult
from search_core.runtime import ASKED_BY
from search_core.search.presenting import ledger
from search_core.search.presenting.ledger import steps_to_mend

if TYPE_CHECKING:
    from search_core.core import SearchCore
    from search_core.job import SearchJob

WORDS_AFTER_S = 6.0
"""Seconds of scoring after which the order by words is returned."""
_ENDING_S = 3.0
"""Seconds left for a search that is asked to end early."""
_UNREAD = SearchStatus.INVALID_RESPONSE
_LISTED = "They are listed as weak."
_STATUSES = {
    ReportOutcome.WAITING: Status.PARTIAL,
    ReportOutcome.FOUND: Status.DONE,
    ReportOutcome.FOUND_NONE: Status.FOUND_NONE,
    ReportOutcome.BELOW_THRESHOLD: Status.BELOW_THRESHOLD,
    ReportOutcome.COULD_NOT_ASK: Status.COULD_NOT_ASK,
}
_RESULT = ("title", "url", "snippet", "source", "publish_date", "relevance_score")


async def search(core: SearchCore, question: Question, call: Call) -> ToolResult:
    """Search and return the results; a search that takes too long is asked to end with what it has."""
    options = replace(core.default_options(), words_after_s=WORDS_AFTER_S)

    def start() -> SearchJob:
        ASKED_BY.set(call.owner)
        return core.start_search(question, options, kept=False)

    job = await call.run(start)
    try:
        if not await call.run(lambda: job.wait(max(0.0, call.left_s - _ENDING_S))):
            job.finish()
            await call.run(lambda: job.wait(_ENDING_S))
    finally:
        job.cancel()
    if job.error is not None:
        raise job.error
    report = job.report or job.snapshot().report
    if report is None:
        return ToolResult(status=Status.PARTIAL, note="No search service answered in time. Ask again; late answers are kept.")
    return search_reply(report)


def search_reply(report: SearchReport) -> ToolResult:
    """Return the results of a search; if all web results are below the threshold, those."""
    status = status_of(report)
    weak = report.hidden_below if status is Status.BELOW_THRESHOLD else ()
    return ToolResult(
        status=status,
        coverage=tuple(
            f"{line.provider}: {'stored, it did not answer' if line.stale else line.cause} ({line.count})"
            for line in ledger(report.replies)
        ),
        note=" ".join(filter(None, (*_advice(status, report), *(each.cause for each in report.degradations)))),
        data={
            "query": report.constructed.text,
            "results": [
                *(_result_json(result) for result in report.results),
                *({**_result_json(result), "weak": True} for result in weak),
            ],
        },
        long="results",
    )


def _result_json(result: SearchResult) -> dict[str, object]:
    moment_s = result.moment.start_s if result.moment else None
    return {**fields_json(result, *_RESULT), "moment_s": moment_s, "own": result.own or None, "sample": result.sample or None}


def status_of(report: SearchReport) -> Status:
    """Return the outcome of a search; own documents do not replace web results."""
    asked = [reply for reply in report.replies if reply.web or not report.web_wanted]
    if asked and report.outcome is ReportOutcome.COULD_NOT_ASK and all(reply.status is _UNREAD for reply in asked):
        return Status.COULD_NOT_READ
    return _STATUSES[report.outcome]


def _outcome(status: Status, report: SearchReport) -> str:
    """Return what came of a search that shows nothing, and whether trying again can help."""
    if status is not Status.COULD_NOT_ASK:
        return ADVICE[status]
    if not report.web_wanted:
        return "The documents of the user could not be searched; that says nothing about what is in them."
    return f"{UNASKED} {NO_USE if steps_to_mend(report.replies) else 'Try again later.'}"


def _advice(status: Status, report: SearchReport) -> tuple[str, ...]:
    """Return the outcome and the next step; names the services that failed, whose results are unknown."""
    silent = dict.fromkeys(reply.provider for reply in report.replies if reply.web and not reply.status.answered)
    stored = dict.fromkeys(reply.provider for reply in report.replies if reply.stale)
    hidden = [
        (sum(each.own is own for each in part), whose, why)
        for own, whose in ((False, ""), (True, "own documents "))
        for part, why in ((report.hidden_over_count, "past the count"), (report.hidden_below, "below the threshold"))
        if own or status is not Status.BELOW_THRESHOLD
    ]
    own, of_own = len(report.own_results), "of the library and not of the web"
    counted = len(report.web_results) if report.web_wanted else own
    return (
        f"{counted} results." if status is Status.DONE else _outcome(status, report),
        _LISTED if status is Status.BELOW_THRESHOLD and report.web_wanted else "",
        *(f"{count} more {whose}were {why}." for count, whose, why in hidden if count),
        f"{own} own documents are marked: they are {of_own}." if own else "",
        f"No answer came from {', '.join(silent)}: what they have is not known." if silent else "",
        f"What {', '.join(stored)} found is stored from earlier, as no answer came now." if stored else "",
        f"Not waited for: {', '.join(report.waiting)}. Ask again for them." if report.waiting else "",
    )
