"""A search of the web in the context of a video, as agents get it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from search_core.agents.calls import Call
from search_core.agents.replies import ADVICE, Reply, Status
from search_core.domain import Freshness, Question, SearchOptions, SearchReport, SearchResult, SearchStatus
from search_core.domain.plain_json import fields_json
from search_core.errors import InputError
from search_core.runtime import utc_now
from search_core.search.pipeline import rearrange

if TYPE_CHECKING:
    from search_core.core import SearchCore

MAX_RESULTS = 50
WORDS_AFTER_S = 6.0
"""Seconds of scoring after which the order by words is returned."""
_ENDING_S = 3.0
"""Seconds left for a search that is asked to end early."""
_UNREAD = SearchStatus.INVALID_RESPONSE
_WINDOWS: dict[Freshness, int] = {"day": 1, "week": 7, "month": 30, "year": 365}
"""Days that services look back when they are asked for results of that age."""
_RESULT = ("title", "url", "snippet", "source", "publish_date", "relevance_score")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Says which results of a search are wanted."""

    since: date | None
    until: date | None
    exclude_domains: Sequence[str] | None
    count: int
    weak: bool
    """Whether those below the threshold are listed, too."""

    def __post_init__(self) -> None:
        """Raise InputError for days that exclude each other."""
        if self.since and self.until and self.since > self.until:
            raise InputError("since is after until.", korean="since가 until보다 뒤예요. 날짜를 바꿔 주세요.")

    def options(self, options: SearchOptions) -> SearchOptions:
        """Return how the search is run: services are asked for what is wanted where they can be."""
        return replace(
            options,
            ranking=replace(options.ranking, max_results=MAX_RESULTS),
            words_after_s=WORDS_AFTER_S,
            freshness=_window(self.since, utc_now().date()) if self.since else None,
            exclude_domains=None if self.exclude_domains is None else tuple(self.exclude_domains),
        )

    def chosen(self, report: SearchReport) -> SearchReport:
        """Return *report* with the results that are wanted alone: those of other days go, those past the count are hidden."""
        results, hidden = (tuple(filter(self._in_time, part)) for part in (report.results, report.hidden))
        ranking = replace(report.options.ranking, max_results=self.count)
        return rearrange(replace(report, results=results, hidden=hidden), ranking)

    def _in_time(self, result: SearchResult) -> bool:
        """Return whether a result may be of the days that are wanted: one without a date may be of any."""
        day = result.publish_date.date() if result.publish_date else None
        return day is None or ((self.since or day) <= day <= (self.until or day))


def _window(since: date, today: date) -> Freshness | None:
    """Return the narrowest age that services can be asked for and that reaches back to *since*."""
    days = (today - since).days
    return next((name for name, reach in _WINDOWS.items() if days <= reach), None)


async def search(core: SearchCore, question: Question, wanted: Wanted, call: Call) -> Reply:
    """Search and return the results; a search that is cut short by the time is asked to end with what there is."""
    options = wanted.options(core.default_options())
    job = await call.run(lambda: core.start_search(question, options))
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
        return Reply(status=Status.PARTIAL, note="No search service answered in time. Ask again; late answers are kept.")
    chosen = wanted.chosen(report)
    left_out = len(report.results) + len(report.hidden) - len(chosen.results) - len(chosen.hidden)
    dates = f"{left_out} of other days were left out; those without a date are listed." if left_out else ""
    return replace(
        search_reply(chosen, weak=wanted.weak, notes=(dates,)),
        coverage=tuple(f"{line.provider}: {line.status} ({line.count})" for line in core.ledger(report)),
    )


def search_reply(report: SearchReport, *, weak: bool = False, notes: tuple[str, ...] = ()) -> Reply:
    """Return the results of a search, with *weak* those below the threshold behind them."""
    status, below = status_of(report), report.hidden_below if weak else ()
    return Reply(
        status=status,
        note=" ".join(filter(None, (*_advice(status, report), *notes, *(each.cause for each in report.degradations)))),
        data={
            "query": report.constructed.text,
            "results": [
                *(_result_json(result) for result in report.results),
                *({**_result_json(result), "weak": True} for result in below),
            ],
        },
        long="results",
    )


def _result_json(result: SearchResult) -> dict[str, Any]:
    moment_s = result.moment.start_s if result.moment else None
    return {**fields_json(result, *_RESULT), "moment_s": moment_s, "own": result.own or None, "sample": result.sample or None}


def status_of(report: SearchReport) -> Status:
    """Return how a search came out; own documents are not the web and do not stand in for it."""
    web = [reply for reply in report.replies if reply.web or not report.web_wanted]
    if not report.waiting and not any(reply.status.answered for reply in web):
        unread = bool(web) and all(reply.status is _UNREAD for reply in web)
        return Status.COULD_NOT_READ if unread else Status.COULD_NOT_ASK
    if report.waiting:
        return Status.PARTIAL
    if any(not result.own or not report.web_wanted for result in report.results):
        return Status.DONE
    return Status.BELOW_THRESHOLD if any(not result.own for result in report.hidden_below) else Status.FOUND_NONE


def _advice(status: Status, report: SearchReport) -> tuple[str, ...]:
    """Return what came out, and what to do; services that failed are named, for what they have is not known."""
    silent = dict.fromkeys(reply.provider for reply in report.replies if reply.web and not reply.status.answered)
    hidden = ((len(report.hidden_over_count), "past the count"), (len(report.hidden_below), "below the threshold"))
    own, of_own = len(report.own_results), "of the user and not of the web"
    counted = len(report.web_results) if report.web_wanted else own
    return (
        f"{counted} results." if status is Status.DONE else ADVICE[status],
        *(f"{count} more were {why}." for count, why in hidden if count),
        f"{own} own documents are marked: they are {of_own}." if own else "",
        f"No answer came from {', '.join(silent)}: what they have is not known." if silent else "",
        f"Not waited for: {', '.join(report.waiting)}. Ask again for them." if report.waiting else "",
    )
