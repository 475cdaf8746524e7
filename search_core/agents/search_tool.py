"""The tool that searches the web in the context of a video."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from search_core.agents import arguments
from search_core.agents.arguments import Domains, Video, entries, names, result_names
from search_core.agents.calls import Call
from search_core.agents.material import Item, address, one_line
from search_core.agents.replies import Reply, Status, note_of
from search_core.agents.tools import Searched, Tool, ToolParts
from search_core.agents.videos import OpenedVideo
from search_core.domain import Freshness, Question, SearchOptions, SearchReport, SearchResult, SearchStatus
from search_core.errors import InputError, StorageError
from search_core.runtime import utc_now
from search_core.search.pipeline import rearrange
from search_core.text.video_time import clock

if TYPE_CHECKING:
    from search_core.core import SearchCore
    from search_core.job import SearchJob

logger = logging.getLogger(__name__)

MAX_RESULTS = 50
WORDS_AFTER_S = 6.0
"""Seconds of scoring after which the order by words is returned."""
_ENDING_S = 3.0
"""Seconds left for a search that is asked to end early."""
_UNREAD = SearchStatus.INVALID_RESPONSE
_WINDOWS: dict[Freshness, int] = {"day": 1, "week": 7, "month": 30, "year": 365}
"""Days that services look back when they are asked for results of that age."""


class SearchInContext(Tool):
    """Search the web for a question about a video; scored snippets, each with the moment it bears on."""

    name = "search_in_context"
    result = result_names(
        "video services",
        data=names("query", results=entries("n title url snippet date score at_s own weak")),
    )
    question: arguments.Question
    video: Video = ""
    since: date | None = None
    until: date | None = None
    exclude_domains: Domains = None
    count: Annotated[int, Field(ge=1, le=MAX_RESULTS)] = MAX_RESULTS
    weak: Annotated[bool, Field(description="also those below the threshold")] = False
    page: Annotated[int, Field(ge=1, le=MAX_RESULTS)] = 1

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Search and return a page of the results; a later page is of the search made for the first one, where it is known."""
        opened = parts.videos.open_if_named(core, self.video, call)
        if self.since and self.until and self.since > self.until:
            raise InputError("since is after until.", korean="since가 until보다 뒤예요. 날짜를 바꿔 주세요.")
        reference = opened.reference if opened else ""
        key = (call.caller.owner, reference, self.model_dump_json(exclude={"video", "page"}))
        earlier = parts.searches.get(key) if self.page > 1 else None
        made = earlier or self._search(core, opened, call)
        if isinstance(made, Reply):
            return made
        parts.searches.put(key, made)
        return self._reply(core, made, reference)

    def _search(self, core: SearchCore, opened: OpenedVideo | None, call: Call) -> Searched | Reply:
        asked = Question(text=self.question, video=opened.video if opened else None)
        call.report("Asking the search services.")
        job = core.start_search(asked, self._options(core.default_options()))
        with call.stop_with(job.cancel):
            in_time = job.wait(max(0.0, call.left_s - _ENDING_S))
            waiting = job.snapshot().waiting
            if not in_time:
                job.finish()
                job.wait(_ENDING_S)
        if job.error is not None:
            raise job.error
        report = job.report or job.snapshot().report
        job.cancel()
        if report is None:
            return Reply(
                status=Status.PARTIAL,
                note="No search service answered in time. Ask again; answers that came too late are kept.",
                coverage=tuple(f"{name}: no answer in time" for name in waiting),
            )
        return Searched(report, _keep(core, job, report, call), in_time)

    def _options(self, options: SearchOptions) -> SearchOptions:
        return replace(
            options,
            ranking=replace(options.ranking, max_results=MAX_RESULTS),
            words_after_s=WORDS_AFTER_S,
            freshness=_window(self.since, utc_now().date()) if self.since else None,
            exclude_domains=None if self.exclude_domains is None else tuple(self.exclude_domains),
        )

    def _reply(self, core: SearchCore, made: Searched, reference: str) -> Reply:
        report = self._chosen(made.report)
        status = status_of(report)
        if not made.in_time and status is Status.DONE:
            status = Status.PARTIAL
        lines = core.ledger(report)
        shown = (*report.results, *report.hidden_below) if self.weak else report.results
        left_out = len(made.report.results) + len(made.report.hidden) - len(report.results) - len(report.hidden)
        dates = f" {left_out} of other days were left out; those without a date are listed." if left_out else ""
        return Reply(
            status=status,
            note=note_of(_advice(status, report, weak=self.weak) + dates, *(each.cause for each in report.degradations)),
            coverage=tuple(f"{line.provider}: {line.status} ({line.count})" for line in lines),
            facts={
                "video": reference,
                "search": f"maekrak://search/{made.id}" if made.id else "",
                "services": {line.provider: line.status.value for line in lines},
            },
            items=tuple(search_items(report, shown)),
            page=self.page,
            how_to_page="search_in_context with the same arguments and ",
        )

    def _chosen(self, report: SearchReport) -> SearchReport:
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


def _keep(core: SearchCore, job: SearchJob, report: SearchReport, call: Call) -> str:
    """Keep a search and return its id; empty where it cannot be kept."""
    if not core.stored_searches.keeps:
        return ""
    try:
        core.stored_searches.keep(job.id, call.caller.owner, report)
    except StorageError as error:
        logger.warning("A search of an agent could not be kept: %s", error)
        return ""
    return job.id


def status_of(report: SearchReport) -> Status:
    """Return how a search came out; own documents are not the web and do not stand in for it."""
    if report.waiting:
        return Status.PARTIAL
    web = [reply for reply in report.replies if reply.web or not report.web_wanted]
    if not any(reply.status.answered for reply in web):
        unread = bool(web) and all(reply.status is _UNREAD for reply in web)
        return Status.COULD_NOT_READ if unread else Status.COULD_NOT_ASK
    if any(not result.own or not report.web_wanted for result in report.results):
        return Status.DONE
    return Status.BELOW_THRESHOLD if any(not result.own for result in report.hidden_below) else Status.FOUND_NONE


def search_items(report: SearchReport, shown: Sequence[SearchResult]) -> Iterator[Item]:
    """Yield the query as it went out and the results that are *shown*, in order, as services gave them."""
    query = one_line(report.constructed.text, 200)
    yield Item("query", query, f"query: {query}")
    below = {result.url for result in report.hidden_below}
    for number, result in enumerate(shown, start=1):
        yield _item(number, result, weak=result.url in below)


def _item(number: int, result: SearchResult, *, weak: bool) -> Item:
    moment = result.moment
    hit = {
        "n": number,
        "title": one_line(result.title, 120),
        "url": address(result.url),
        "snippet": one_line(result.snippet, 220),
        "source": one_line(result.source, 60),
        "date": result.publish_date.date().isoformat() if result.publish_date else None,
        "score": round(result.relevance_score, 2) if result.relevance_score is not None else None,
        "at_s": round(moment.start_s, 1) if moment else None,
        "own": result.own,
        "weak": weak or None,
    }
    about = [hit["source"], hit["date"] or "undated", *([f"video {clock(moment.start_s)}"] if moment else [])]
    kind = ["own document, not the web" + (" (sample)" if result.sample else "")] if result.own else []
    kind += ["below the threshold"] if weak else []
    line = f"[{number}] {hit['title']} ({', '.join(map(str, (*about, *kind)))}) {hit['url']}\n{hit['snippet']}"
    return Item("results", hit, line)


def _advice(status: Status, report: SearchReport, *, weak: bool) -> str:
    below, past = len(report.hidden_below), len(report.hidden_over_count)
    hidden = f" {past} more were past the count." if past else ""
    if below:
        hidden += f" {below} below the threshold are listed last." if weak else f" {below} more were below the threshold."
    own = " Own documents of the user are marked and are not the web." if report.own_results else ""
    match status:
        case Status.DONE:
            return f"{len(report.results)} results.{hidden}{own}"
        case Status.PARTIAL:
            return f"Time was up: results of the services that had answered.{own} Ask again for the others."
        case Status.BELOW_THRESHOLD:
            shown = "they are listed" if weak else "weak=true lists them"
            return f"The web has {below} results, all below the threshold: {shown}.{own} Other words may find better ones."
        case Status.FOUND_NONE:
            return f"The web was asked and gave no result.{own} Try other words."
        case Status.COULD_NOT_READ:
            return f"Services answered, and no answer could be read; that says nothing about the web.{own} Try again later."
        case _:
            return f"No search service could be asked; that says nothing about what the web has.{own} Try again later."
