"""The web search for an answer or a check: its sources and services, or why there is nothing, in words for readers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from search_core.answers.web_answer import CitableResults, query_of
from search_core.domain.conversation import WebAnswerFailed, WebFailure, WebSearching, WebSourcesFound
from search_core.domain.reply import ProviderReply, SearchStatus, web_answered
from search_core.domain.report import Question, SearchReport
from search_core.errors import MaekrakError
from search_core.search.presenting.formatter import ResultFormatter
from search_core.search.presenting.ledger import (
    headline,
    ledger,
    not_asked_line,
    shortest_pause,
    unanswered,
    web_unavailable,
    without_pauses,
)

if TYPE_CHECKING:
    from search_core.reading.html import ReadPage

_SENTENCES = {
    WebFailure.NO_RESULTS: "웹에서는 결과를 찾지 못했어요.",
    WebFailure.NOT_RELEVANT: "웹에서도 관련 결과를 찾지 못했어요.",
    WebFailure.UNAVAILABLE: "웹 검색을 사용할 수 없어 웹의 답은 보여 드리지 못해요.",
    WebFailure.TIMEOUT: "웹 검색이 시간 안에 끝나지 않아 웹의 답은 보여 드리지 못해요.",
    WebFailure.STOPPED: "검색을 멈춰서 웹의 답을 기다리지 않았어요.",
    WebFailure.SEARCH_FAILED: "웹 검색에 문제가 생겨 웹의 답은 보여 드리지 못해요.",
    WebFailure.MODEL_FAILED: "웹 검색 결과로 답을 쓰지 못했어요.",
    WebFailure.NOT_ANSWERED: "웹 검색 결과에도 답이 없어요.",
}


def tell_reader(failure: WebAnswerFailed, sentences: Mapping[WebFailure, str] = _SENTENCES) -> WebAnswerFailed:
    """Return *failure* with its sentence for the reader."""
    return replace(failure, korean=f"{failure.korean} {sentences[failure.failure]}".strip())


def no_evidence(question: Question, report: SearchReport, labels: Mapping[str, str]) -> WebAnswerFailed:
    """Return why *report* has no web results for an answer; own documents do not count.

    The end of the reader's sentence comes from ``tell_reader``.
    """
    replies = [reply for reply in report.replies if reply.web]
    formatter = ResultFormatter(now=report.created_at, labels=labels)
    for_model = formatter.format_korean_response((), query=question.text, replies=replies, for_model=True)
    if not web_answered(replies):
        left = [reply.status is SearchStatus.NOT_AWAITED and bool(reply.advice) for reply in replies]  # a stop says so itself
        stopped = bool(left) and all(left)
        statuses = ", ".join(f"{reply.provider}: {reply.status}" for reply in replies) or "there was none to ask"
        return WebAnswerFailed(
            failure=WebFailure.STOPPED if stopped else WebFailure.UNAVAILABLE,
            cause=f"No search service of the web could be asked ({statuses}).",
            for_model=for_model,
            reason="" if stopped else web_unavailable(replies, labels),
            retry_after_s=shortest_pause(ledger(replies)),
        )
    has_results = any(reply.results for reply in replies)
    asked = without_pauses(replies)
    return WebAnswerFailed(
        failure=WebFailure.NOT_RELEVANT if has_results else WebFailure.NO_RESULTS,
        cause="All results are below the threshold or say nothing." if has_results else "The search services found nothing.",
        korean=unanswered(replies),
        for_model=for_model,
        headline=headline(asked, labels, report.created_at),
        ledger=tuple(line.korean for line in ledger(asked, labels, report.created_at)),
    )


def no_report(question: Question, failure: WebFailure, cause: str) -> WebAnswerFailed:
    """Return why a search gave no report, without the sentence for readers."""
    status = SearchStatus.TIMEOUT if failure is WebFailure.TIMEOUT else SearchStatus.UNKNOWN_ERROR
    replies = (ProviderReply(provider="search", status=status),)
    labels = {"search": "웹 검색"}
    for_model = ResultFormatter(labels=labels).format_korean_response((), query=question.text, replies=replies, for_model=True)
    return WebAnswerFailed(failure=failure, cause=cause, for_model=for_model, reason=web_unavailable(replies, labels))


logger = logging.getLogger(__name__)

QueryCallback = Callable[[str], None]
"""Called with the query, on the event loop, as soon as the query is built."""
PageRead = Callable[[str], Awaitable["ReadPage"]]
"""Reads the page at an address; raises PageReadError. Cancelling closes its connection."""


@dataclass(frozen=True, slots=True)
class RunningSearch:
    """A running search: its query, and its report or why there is none."""

    question: Question
    query: asyncio.Future[str]
    result: asyncio.Task[SearchReport | WebAnswerFailed]

    async def event(self) -> WebSearching:
        """Wait for the query, or for the end of the search, and return the event for it."""
        await asyncio.wait((self.result, self.query), return_when=asyncio.FIRST_COMPLETED)
        return WebSearching(question=self.query.result() if self.query.done() else self.question.text)


@asynccontextmanager
async def supervise_search(
    search: Callable[[QueryCallback], Awaitable[SearchReport]], question: Question, timeout_s: float
) -> AsyncIterator[RunningSearch]:
    """Start *search* for *question* and stop it on leaving.

    A search that raises, or takes longer than *timeout_s*, has a result that says so.
    """
    query: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def set_query(text: str) -> None:
        if not query.done():
            query.set_result(text)

    task = asyncio.create_task(_report(search(set_query), question, timeout_s))
    try:
        yield RunningSearch(question, query, task)
    finally:
        query.cancel()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _report(search: Awaitable[SearchReport], question: Question, timeout_s: float) -> SearchReport | WebAnswerFailed:
    try:
        async with asyncio.timeout(timeout_s):
            return await search
    except TimeoutError:
        return no_report(question, WebFailure.TIMEOUT, f"The search did not end within {timeout_s:g} s.")
    except MaekrakError as error:
        return no_report(question, WebFailure.SEARCH_FAILED, f"{type(error).__name__}: {error}")
    except Exception as error:  # whatever a search does, the answer from the video stands
        logger.exception("The web search of an answer failed unexpectedly")
        return no_report(question, WebFailure.SEARCH_FAILED, type(error).__name__)


def sources_found(evidence: CitableResults, report: SearchReport, labels: Mapping[str, str]) -> WebSourcesFound:
    """Return the event for the sources of *evidence*, with the outcome of the search; *labels* names the services.

    If a broader query found them, the ledger says so.
    """
    query = query_of(report)
    broader = [f"처음 검색어로는 찾지 못해 ‘{query}’로 넓혀서 찾았어요."] if query != report.constructed.text else []
    replies = without_pauses(report.replies)
    lines = ledger(replies, labels, report.created_at)
    left_out = not_asked_line(report, labels)
    return WebSourcesFound(
        sources=evidence.sources,
        headline=headline(replies, labels, report.created_at),
        ledger=(*broader, *(line.korean for line in lines), *([left_out] if left_out else [])),
    )


def since(begun: float) -> float:
    """Return the milliseconds since *begun*, a reading of ``time.monotonic``."""
    return (time.monotonic() - begun) * 1000
