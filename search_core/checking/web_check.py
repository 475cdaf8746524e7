"""The parts of a check against the web: searching, reading pages and judging them."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.web_search import PageRead, RunningSearch, supervise_search
from search_core.checking.verdicts.compare import judge_sources
from search_core.checking.verdicts.independence import Speakers
from search_core.checking.verdicts.judge import Judgement
from search_core.checking.verdicts.language_model import MAX_REQUESTS, LanguageJudgement, judge_open_rows
from search_core.checking.verdicts.missing_support import subject_names
from search_core.domain.report import Question, SearchReport
from search_core.domain.result import SearchResult
from search_core.domain.stance import Statement
from search_core.domain.video import VideoContext
from search_core.errors import PageFailure, PageReadError
from search_core.language.entities import find_entities
from search_core.language.statements.proposition import read_proposition

if TYPE_CHECKING:
    from search_core.models.llm.openai_compatible import OpenAICompatible
    from search_core.reading.html import ReadPage

logger = logging.getLogger(__name__)

MAX_SOURCES = 8
READING_S = 8.0
WebSearch = Callable[..., Awaitable[SearchReport]]
"""Searches the web for a question about a subject, and hands over the query, on the event loop, as soon as it is put together.

``fresh`` bypasses stored replies.
"""


class ReadSources(NamedTuple):
    """Sources after their pages were read."""

    results: tuple[SearchResult, ...]
    """The sources; a source without a date has the one that its page states."""
    pages: Mapping[int, ReadPage | PageFailure]
    """The page that was read or why it could not be, by the number of its source, from 1."""
    texts: Mapping[str, str]
    """The texts of the pages that were read, by address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebCheck:
    """Searches, reads and judges for checks of statements; keeps no state about any of them."""

    scorer: QuestionScorer
    search: WebSearch
    """Searches the web only, not the user's own documents."""
    subject_of: Callable[[VideoContext, float | None], str]
    """Returns what a video is about ("HBM4"), at a moment if one is given; called on a worker thread."""
    read: PageRead
    judge: OpenAICompatible | None = None
    """Judges the rows that no rule decides; None leaves them as the entailment model has judged them."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Names of search services for readers, by id."""
    pages: int = 5
    """Number of pages read, as many as usually arrive in time; for other sources the snippet counts."""
    search_timeout_s: float = 20.0
    reading_timeout_s: float = READING_S
    """Seconds for reading all pages together."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ready: Callable[[], None] = lambda: None
    """Waits until slow parts such as models are loaded; called on a worker thread."""
    wait_for_reader: Callable[[], None] = lambda: None
    """Waits until pages can be read; called on a worker thread, before ``reading_timeout_s`` begins to run."""

    def subject(self, video: VideoContext | None, text: str, moment_s: float | None) -> str:
        """Return the subject of *video*, to put before the query, if *text* names nothing itself, else an empty text; slow."""
        return "" if video is None or _names_something(text) else self.subject_of(video, moment_s)

    def open_search(self, question: Question, subject: str, *, fresh: bool = False) -> AbstractAsyncContextManager[RunningSearch]:
        """Start to search for *question* like ``search``; leaving the block stops it."""
        return supervise_search(
            lambda on_query: self.search(question, subject, on_query, fresh=fresh), question, self.search_timeout_s
        )

    async def read_sources(self, results: Sequence[SearchResult], video: VideoContext | None = None) -> ReadSources:
        """Read the pages of the first *results*, except those that the speakers of *video* published."""
        own = Speakers(video).published if video is not None else lambda _: False
        urls = [(number, result.url) for number, result in enumerate(results, start=1) if not own(result)]
        pages = await read_pages(dict(urls[: self.pages]), self.read, self.reading_timeout_s, self.wait_for_reader)
        dated = tuple(_add_date(result, pages.get(number)) for number, result in enumerate(results, start=1))
        texts = {dated[number - 1].url: page.text for number, page in pages.items() if not isinstance(page, PageFailure)}
        return ReadSources(dated, pages, texts)

    async def judge_sources(
        self, statements: Sequence[Statement], video: VideoContext, read: ReadSources, most_requests: int = MAX_REQUESTS
    ) -> tuple[Judgement, LanguageJudgement]:
        """Return the stances of the sources to *statements*, and what a language model decided about open rows."""
        judged = await asyncio.to_thread(
            judge_sources,
            statements,
            read.results,
            video,
            self.now(),
            read.texts,
            self.scorer.entailments,
            open_windows=self.judge is not None,
        )
        if self.judge is None or not judged.open:
            return judged, LanguageJudgement(rows=())
        decided = await judge_open_rows(self.judge, judged.open, self.scorer.entailments, most_requests=most_requests)
        return judged.with_decided(decided.rows, decided.silent), decided


async def read_pages(
    urls: Mapping[int, str], read: PageRead, deadline_s: float, wait_for_reader: Callable[[], None] = lambda: None
) -> dict[int, ReadPage | PageFailure]:
    """Return the outcome of each page by number, *deadline_s* after the reader is ready at the latest.

    Later pages count as timed out. Nothing continues after this returns or is cancelled.
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


def _add_date(result: SearchResult, page: ReadPage | PageFailure | None) -> SearchResult:
    """Return *result*, dated by its *page* if it has no date of its own."""
    if result.publish_date is not None or page is None or isinstance(page, PageFailure):
        return result
    return replace(result, publish_date=page.published)


def _outcome(task: asyncio.Future[ReadPage]) -> ReadPage | PageFailure:
    """Return the outcome of reading a page; an unexpected error fails this page only."""
    if not task.done():
        return PageFailure.TIMEOUT
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, PageReadError):
        return error.kind
    logger.error("A page could not be read for an unexpected reason", exc_info=error)
    return PageFailure.UNREADABLE


_WHITHER = re.compile(r"으?로(?![가-힣])")


def _names_something(text: str) -> bool:
    """Return whether *text* names what it is about, and so needs no subject before it; where something went does not tell."""
    names = (*subject_names(read_proposition(text, None)), *(entity.text for entity in find_entities(text)))
    return any(not _WHITHER.match(text, text.find(name) + len(name)) for name in names)
