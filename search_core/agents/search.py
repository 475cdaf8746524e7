"""Web search in the context of a video, for agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.agents.replies import Call, Status, ToolResult
from search_core.domain.plain_json import fields_json
from search_core.domain.reply import SearchStatus
from search_core.domain.report import Question, ReportOutcome, SearchReport
from search_core.domain.result import SearchResult
from search_core.search.presenting.ledger import failure_notice, headline, hidden_line, ledger, outcome_sentence

if TYPE_CHECKING:
    from search_core.core import SearchCore

WORDS_AFTER_S = 6.0
"""Seconds of scoring after which the order by words is returned."""
_ENDING_S = 3.0
"""Seconds left for a search that is asked to end early."""
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
    job = await call.run(lambda: core.start_search(question, options, kept=False))
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
    return search_reply(report, core.provider_labels())


def search_reply(report: SearchReport, labels: Mapping[str, str]) -> ToolResult:
    """Return the results of a search, worded as on the pages; if all web results are below the threshold, return them anyway."""
    status = status_of(report)
    weak = report.hidden_below if status is Status.BELOW_THRESHOLD else ()
    lines = ledger(report.replies, labels)
    return ToolResult(
        status=status,
        coverage=tuple(f"{line.label}: {'저장된 결과' if line.reply.stale else line.reason} ({line.count})" for line in lines),
        note=" ".join(filter(None, (*_outcome(report, labels), *(degradation.korean for degradation in report.degradations)))),
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
    statuses = {reply.status for reply in report.replies if reply.web or not report.web_wanted}
    if report.outcome is ReportOutcome.COULD_NOT_ASK and statuses == {SearchStatus.INVALID_RESPONSE}:
        return Status.COULD_NOT_READ
    return _STATUSES[report.outcome]


def _outcome(report: SearchReport, labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return what came of a search, who did not answer, and what can be done about it."""
    notice = failure_notice(report.replies, labels) if report.web_unavailable else None
    own = len(report.own_results)
    return (
        outcome_sentence(report, labels),
        headline(report.replies, labels),
        *(notice.checks if notice is not None else ()),
        f"내 자료 {own}건은 웹에서 찾은 것이 아니에요." if own else "",
        hidden_line(report),
    )
