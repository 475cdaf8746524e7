"""The web searched for an answer: what was found and who was asked for it, or why there is nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

from search_core.answering.web_answer import Evidence, query_of
from search_core.answering.web_failure import could_not_search
from search_core.domain import Question, SearchReport, WebAnswerFailed, WebFailure, WebSearching, WebSourcesFound
from search_core.errors import MaekrakError
from search_core.presenting import headline, ledger

logger = logging.getLogger(__name__)

Tell = Callable[[str], None]
"""Takes the query, on the event loop, as soon as it is put together."""
Steps = AsyncGenerator[WebSearching | SearchReport | WebAnswerFailed]


async def search_steps(search: Callable[[Tell], Awaitable[SearchReport]], question: Question, timeout_s: float) -> Steps:
    """Yield the query that goes out when it is known, or at the end, and then what *search* for *question* came to.

    A search that raises or takes longer than *timeout_s* is told by an event.
    """
    query = asyncio.get_running_loop().create_future()

    def tell(text: str) -> None:
        if not query.done():
            query.set_result(text)

    task = asyncio.create_task(_searched(search(tell), question, timeout_s))
    try:
        await asyncio.wait((task, query), return_when=asyncio.FIRST_COMPLETED)
        yield WebSearching(question=query.result() if query.done() else question.text)
        yield await task
    finally:
        query.cancel()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _searched(asking: Awaitable[SearchReport], question: Question, timeout_s: float) -> SearchReport | WebAnswerFailed:
    try:
        async with asyncio.timeout(timeout_s):
            return await asking
    except TimeoutError:
        return could_not_search(question, WebFailure.TIMEOUT, f"The search did not end within {timeout_s:g} s.")
    except MaekrakError as error:
        return could_not_search(question, WebFailure.SEARCH_FAILED, f"{type(error).__name__}: {error}")
    except Exception as error:  # whatever a search does, the answer from the video stands
        logger.exception("The web search of an answer failed unexpectedly")
        return could_not_search(question, WebFailure.SEARCH_FAILED, type(error).__name__)


def sources_found(evidence: Evidence, report: SearchReport, labels: Mapping[str, str]) -> WebSourcesFound:
    """Return the event for the sources of *evidence*, with how asking went; *labels* says what services are called.

    A broader query that found them stands in the ledger, too.
    """
    query = query_of(report)
    broader = [f"처음 검색어로는 찾지 못해 ‘{query}’로 넓혀서 찾았어요."] if query != report.constructed.text else []
    lines = ledger(report.replies, labels, report.created_at)
    return WebSourcesFound(
        sources=evidence.sources,
        headline=headline(report.replies, labels, report.created_at),
        ledger=(*broader, *(line.korean for line in lines)),
    )
