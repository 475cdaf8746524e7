"""The tool that searches the web in the context of a video."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.agents.calls import Call
from search_core.agents.material import Item, address, one_line
from search_core.agents.replies import Reply, Status, note_of
from search_core.agents.videos import OpenedVideo
from search_core.domain import Question, SearchReport, SearchResult, SearchStatus
from search_core.errors import StorageError
from search_core.presenting import ResultFormatter
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


def search(core: SearchCore, question: str, opened: OpenedVideo | None, page: int, call: Call) -> Reply:
    """Search and return a page of the results; raises InputError for a question that cannot be searched for."""
    options = core.default_options()
    ranking = replace(options.ranking, max_results=MAX_RESULTS)
    asked = Question(text=question, video=opened.video if opened else None)
    call.report("Asking the search services.")
    job = core.start_search(asked, replace(options, ranking=ranking, words_after_s=WORDS_AFTER_S))
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
    return _reply(core, report, opened, page, search_id=_keep(core, job, report, call), in_time=in_time)


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


def _reply(
    core: SearchCore, report: SearchReport, opened: OpenedVideo | None, page: int, *, search_id: str, in_time: bool
) -> Reply:
    status = status_of(report)
    if not in_time and status is Status.DONE:
        status = Status.PARTIAL
    outcome = ResultFormatter(report.created_at, core.provider_labels()).outcome_sentence(report)
    return Reply(
        status=status,
        note=note_of(_advice(status, report), outcome, *(each.korean for each in report.degradations)),
        coverage=tuple(f"{line.provider}: {line.status} ({line.count}) {line.text}" for line in core.ledger(report)),
        facts={
            "video": opened.reference if opened else "",
            "search": f"maekrak://search/{search_id}" if search_id else "",
            "services": {line.provider: line.status.value for line in core.ledger(report)},
        },
        items=tuple(search_items(report)),
        page=page,
        how_to_page="search_in_context with the same arguments and ",
    )


def status_of(report: SearchReport) -> Status:
    """Return how a search came out; own documents are not the web and do not stand in for it."""
    if report.waiting:
        return Status.PARTIAL
    web = [reply for reply in report.replies if reply.web or not report.web_wanted]
    if not any(reply.status.answered for reply in web):
        unread = bool(web) and all(reply.status is _UNREAD for reply in web)
        return Status.COULD_NOT_READ if unread else Status.COULD_NOT_ASK
    return Status.DONE if any(not result.own or not report.web_wanted for result in report.results) else Status.FOUND_NONE


def search_items(report: SearchReport) -> Iterator[Item]:
    """Yield the query as it went out and the results that are shown, in order."""
    query = one_line(report.constructed.text, 200)
    yield Item("query", query, f"query: {query}")
    for number, result in enumerate(report.results, start=1):
        yield _item(number, result)


def _item(number: int, result: SearchResult) -> Item:
    moment = result.moment
    hit = {
        "n": number,
        "title": one_line(result.title, 120),
        "url": address(result.url),
        "snippet": one_line(result.summary or result.snippet, 220),
        "source": one_line(result.source, 60),
        "date": result.publish_date.date().isoformat() if result.publish_date else None,
        "score": round(result.relevance_score, 2) if result.relevance_score is not None else None,
        "at_s": round(moment.start_s, 1) if moment else None,
        "own": result.own,
    }
    about = [hit["source"], hit["date"] or "undated", *([f"video {clock(moment.start_s)}"] if moment else [])]
    kind = ["own document, not the web" + (" (sample)" if result.sample else "")] if result.own else []
    line = f"[{number}] {hit['title']} ({', '.join(map(str, (*about, *kind)))}) {hit['url']}\n{hit['snippet']}"
    return Item("results", hit, line)


def _advice(status: Status, report: SearchReport) -> str:
    hidden = f" {len(report.hidden)} more were below the threshold or past the count." if report.hidden else ""
    own = " Own documents of the user are marked and are not the web." if report.own_results else ""
    match status:
        case Status.DONE:
            return f"{len(report.results)} results.{hidden}{own}"
        case Status.PARTIAL:
            return f"Time was up: results of the services that had answered.{own} Ask again for the others."
        case Status.FOUND_NONE:
            return f"The web was asked, and no result of it is shown.{hidden}{own} Try other words."
        case Status.COULD_NOT_READ:
            return f"Services answered, and no answer could be read; that says nothing about the web.{own} Try again later."
        case _:
            return f"No search service could be asked; that says nothing about what the web has.{own} Try again later."
