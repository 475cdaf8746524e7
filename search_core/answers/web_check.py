"""Statements held against the web: what is searched for them, the pages read, and how sources stand to them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.statements import names_something
from search_core.answers.web_search import RunningSearch, supervise_search
from search_core.domain.report import Question, SearchReport
from search_core.domain.result import SearchResult
from search_core.domain.video import VideoContext
from search_core.errors import PageFailure, PageReadError
from search_core.stance.judge import OpenRow
from search_core.stance.language_model import MAX_REQUESTS, LanguageJudgement, judge_open_rows

if TYPE_CHECKING:
    from search_core.llm import OpenAICompatible
    from search_core.reading.page_reader import ReadPage

logger = logging.getLogger(__name__)

MAX_SOURCES = 8
READING_S = 8.0
PageRead = Callable[[str], Awaitable["ReadPage"]]
"""Reads the page at an address; raises PageReadError. Cancelling closes its connection."""
WebSearch = Callable[..., Awaitable[SearchReport]]
"""Searches the web for a question about a subject, and hands over the query, on the event loop, as soon as it is put together.

``statement`` are the words of what is checked, ``fresh`` bypasses stored replies, ``exclude_domains`` is as in ``SearchOptions``.
"""


def since(begun: float) -> float:
    """Return the milliseconds since the monotonic clock said *begun*."""
    return (time.monotonic() - begun) * 1000


class ReadSources(NamedTuple):
    """Sources after their pages were read."""

    results: tuple[SearchResult, ...]
    """Those without a date with the one that their page names."""
    pages: Mapping[int, ReadPage | PageFailure]
    """What became of reading a page, by the number of its source, from 1."""
    texts: Mapping[str, str]
    """What was read, by address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebCheck:
    """Holds what statements are held against the web with, and keeps no state about any of them."""

    scorer: QuestionScorer
    search: WebSearch
    """Asks services of the web alone: the user's own documents are not the web."""
    subject_of: Callable[[VideoContext, float | None], str]
    """Says in a word or a name what a video is about, at a moment where one is given; called on a worker thread."""
    read: PageRead
    judge: OpenAICompatible | None = None
    """Judges what rules and the model of entailment leave open; None leaves it so."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What search services are called."""
    pages: int = 5
    """How many pages are read, as many as mostly come within the time for them; of the other sources the snippet counts."""
    search_timeout_s: float = 20.0
    reading_timeout_s: float = READING_S
    """For all pages together."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ready: Callable[[], None] = lambda: None
    """Returns when what is slow to load is there; called on a worker thread."""
    wait_for_reader: Callable[[], None] = lambda: None
    """Returns when pages can be read; called on a worker thread, before the time for them begins."""

    def subject(self, video: VideoContext | None, *texts: str, moment_s: float | None = None) -> str:
        """Return what goes before the query: what *video* is about there where *texts* speak of no name or thing; slow."""
        return "" if video is None or any(map(names_something, texts)) else self.subject_of(video, moment_s)

    def open_search(self, question: Question, subject: str, **how: Any) -> AbstractAsyncContextManager[RunningSearch]:
        """Start to search for *question* as ``search`` does; leaving stops it."""
        return supervise_search(lambda on_query: self.search(question, subject, on_query, **how), question, self.search_timeout_s)

    async def read_sources(self, results: Sequence[SearchResult], left_out: Collection[int]) -> ReadSources:
        """Read the pages of the first of *results*, except those whose numbers are *left_out*."""
        urls = [(number, result.url) for number, result in enumerate(results, start=1) if number not in left_out]
        pages = await read_pages(dict(urls[: self.pages]), self.read, self.reading_timeout_s, self.wait_for_reader)
        dated = tuple(_add_date(result, pages.get(number)) for number, result in enumerate(results, start=1))
        return ReadSources(dated, pages, texts_of(dated, pages))

    async def judge_open(self, rows: Sequence[OpenRow], most_requests: int = MAX_REQUESTS) -> LanguageJudgement:
        """Return what the judge makes of open *rows*; nothing where there is none."""
        if self.judge is None or not rows:
            return LanguageJudgement(rows=())
        return await judge_open_rows(self.judge, rows, self.scorer.entailments, most_requests=most_requests)


async def read_pages(
    urls: Mapping[int, str], read: PageRead, deadline_s: float, wait_for_reader: Callable[[], None] = lambda: None
) -> dict[int, ReadPage | PageFailure]:
    """Return by number what became of each page, as soon as all are done, *deadline_s* after the reader is there at the latest.

    Pages that are not there by then count as timed out. Nothing goes on when this returns or is cancelled.
    """
    if not urls:
        return {}
    await asyncio.to_thread(wait_for_reader)
    tasks = {number: asyncio.ensure_future(read(url)) for number, url in urls.items()}
    try:
        await asyncio.wait(tasks.values(), timeout=deadline_s)
        return {number: _outcome(task) for number, task in tasks.items()}
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)


def texts_of(results: Sequence[SearchResult], read: Mapping[int, ReadPage | PageFailure]) -> dict[str, str]:
    """Return by address the text of each page that was *read*; numbers count *results* from 1."""
    return {results[number - 1].url: page.page.text for number, page in read.items() if not isinstance(page, PageFailure)}


def _add_date(result: SearchResult, page: ReadPage | PageFailure | None) -> SearchResult:
    """Return *result*, without a date of its own with the one that its *page* names."""
    if result.publish_date is not None or page is None or isinstance(page, PageFailure):
        return result
    return replace(result, publish_date=page.page.published)


def _outcome(task: asyncio.Future[ReadPage]) -> ReadPage | PageFailure:
    """Return what became of a page; an unexpected error costs this one and no others."""
    if not task.done():
        return PageFailure.TIMEOUT
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, PageReadError):
        return error.kind
    logger.error("A page could not be read for an unexpected reason", exc_info=error)
    return PageFailure.UNREADABLE
