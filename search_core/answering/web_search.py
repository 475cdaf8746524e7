"""The web searched for an answer: what was found and who was asked for it, or why there is nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from search_core.answering.web_answer import Evidence, query_of
from search_core.answering.web_failure import no_report
from search_core.domain import Question, SearchReport, WebAnswerFailed, WebFailure, WebSearching, WebSourcesFound
from search_core.errors import MaekrakError
from search_core.presenting import ResultFormatter, headline, ledger, without_pauses

logger = logging.getLogger(__name__)

QueryCallback = Callable[[str], None]
"""Takes the query, on the event loop, as soon as it is put together."""


@dataclass(frozen=True, slots=True)
class RunningSearch:
    """A search under way: its query, and its report or why there is none."""

    question: Question
    query: asyncio.Future[str]
    result: asyncio.Task[SearchReport | WebAnswerFailed]

    async def event(self) -> WebSearching:
        """Return the query that goes out when it is known, or at the end of the search."""
        await asyncio.wait((self.result, self.query), return_when=asyncio.FIRST_COMPLETED)
        return WebSearching(question=self.query.result() if self.query.done() else self.question.text)


@asynccontextmanager
async def start_search(
    search: Callable[[QueryCallback], Awaitable[SearchReport]], question: Question, timeout_s: float
) -> AsyncIterator[RunningSearch]:
    """Start *search* for *question* and stop it on leaving.

    One that raises or takes longer than *timeout_s* has a result that says so.
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


def sources_found(evidence: Evidence, report: SearchReport, labels: Mapping[str, str]) -> WebSourcesFound:
    """Return the event for the sources of *evidence*, with how asking went; *labels* says what services are called.

    A broader query that found them stands in the ledger, too.
    """
    query = query_of(report)
    broader = [f"처음 검색어로는 찾지 못해 ‘{query}’로 넓혀서 찾았어요."] if query != report.constructed.text else []
    replies = without_pauses(report.replies)
    lines = ledger(replies, labels, report.created_at)
    left_out = ResultFormatter(report.created_at, labels).not_asked(report)
    return WebSourcesFound(
        sources=evidence.sources,
        headline=headline(replies, labels, report.created_at),
        ledger=(*broader, *(line.korean for line in lines), *([left_out] if left_out else [])),
    )
