"""The web searched for an answer: what was found and who was asked for it, or why there is nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Mapping

from search_core.answering.web_answer import WebEvidence
from search_core.answering.web_failure import could_not_search
from search_core.domain import Question, SearchReport, WebAnswerFailed, WebFailure, WebSourcesFound
from search_core.errors import MaekrakError
from search_core.presenting import headline, ledger

logger = logging.getLogger(__name__)


async def searched(asking: Awaitable[SearchReport], question: Question, timeout_s: float) -> SearchReport | WebAnswerFailed:
    """Return what *asking* for *question* came to within *timeout_s*; a search that raises is told by the event."""
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


def sources_found(evidence: WebEvidence, report: SearchReport, labels: Mapping[str, str]) -> WebSourcesFound:
    """Return the event for the sources of *evidence*, with how asking went; *labels* says what services are called."""
    lines = ledger(report.replies, labels, report.created_at)
    return WebSourcesFound(
        sources=evidence.sources,
        headline=headline(report.replies, labels, report.created_at),
        ledger=tuple(line.korean for line in lines),
    )
