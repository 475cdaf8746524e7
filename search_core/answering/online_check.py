"""One answer held against the web as a stream of events: sources, pages, stances, and what the web adds in prose."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from search_core.answering.checking.excerpts import add_excerpts
from search_core.answering.checking.pages import PageRead, add_page_dates, read_pages, texts_of
from search_core.answering.checking.statements import compare_passages, passages_to_check
from search_core.answering.checking.synthesis import Synthesis
from search_core.answering.comparison import stance_summary
from search_core.answering.draft import ChatModel, Draft
from search_core.answering.question_scorer import QuestionScorer
from search_core.answering.web_answer import Evidence
from search_core.answering.web_failure import no_evidence, tell_reader_of_check
from search_core.answering.web_search import QueryCallback, sources_found, start_search
from search_core.domain import (
    AnswerDone,
    AnswerEvent,
    AnswerOrigin,
    AnswerPart,
    AnswerRecord,
    AnswerToken,
    Comparison,
    PageOutcome,
    PagesRead,
    Question,
    SearchReport,
    SearchResult,
    StancesCompared,
    VideoContext,
    WebAnswerFailed,
    WebAnswerFinished,
)
from search_core.errors import PageFailure
from search_core.intent import validate_question
from search_core.video import youtube_video_id

logger = logging.getLogger(__name__)

Events = AsyncGenerator[AnswerEvent]
WebSearch = Callable[[Question, str, QueryCallback], Awaitable[SearchReport]]
"""Searches the web for a question about a subject; hands over the query, on the event loop, as soon as it is put together."""

MAX_CHECK_SOURCES = 8
READING_S = 8.0
_EXTRACT_INSTEAD = "웹 자료에서 뽑은 발췌로 대신 보여 드려요."


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """What is to be checked."""

    question: Question
    """As it was asked, with its video and the turns before it: it is what is searched for."""
    answer: AnswerRecord | None
    """What is held against the web; None takes what the video says that bears on the question."""
    subject: str | None = None
    """What the question is about, put before the query; None takes it from the video, an empty one is none."""

    @property
    def video_alone(self) -> bool:
        """Tell whether there is a video, and nothing but what it says in the answer."""
        more = self.answer is not None and (self.answer.web_text or self.answer.own or self.answer.without_web)
        return self.question.video is not None and not more


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlineCheck:
    """Holds answers against the web with what it has, and keeps no state about any of them."""

    model: ChatModel | None
    """None sums up by extract."""
    scorer: QuestionScorer
    search: WebSearch
    """Asks services of the web alone: the user's own documents are not the web."""
    subject_of: Callable[[VideoContext], str]
    """Says in a word or a name what a video is about; called on a worker thread."""
    read: PageRead
    labels: Mapping[str, str] = field(default_factory=dict)
    """What search services are called."""
    pages: int = 5
    """How many pages are read; of the other sources the snippet counts."""
    search_timeout_s: float = 20.0
    reading_timeout_s: float = READING_S
    """For all pages together."""
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ready: Callable[[], None] = lambda: None
    """Returns when what is slow to load is there; called on a worker thread."""

    def check(self, request: CheckRequest) -> Events:
        """Return what happens until the check is done, as it happens.

        Closing the generator or cancelling its task stops all that is asked. A ``WebAnswerFinished`` of origin EXTRACT after
        tokens takes their place: the model broke off. Raises QuestionError at once for a question that is empty or too long, and
        later EmbeddingError when texts cannot be embedded, not even by the embedded embedder. What the search, the pages and the
        model fail to do is told by events.
        """
        question = replace(request.question, text=validate_question(request.question.text))
        return _Checking(self, replace(request, question=question)).events()


class _Checking:
    """One check under way."""

    def __init__(self, parts: OnlineCheck, request: CheckRequest) -> None:
        self._parts = parts
        self._request = request
        self._question = request.question
        self._spent_ms = dict.fromkeys(("search_ms", "reading_ms", "comparison_ms", "web_answer_ms"), 0.0)

    async def events(self) -> Events:
        await asyncio.to_thread(self._parts.ready)
        started = self._parts.clock()
        async with aclosing(self._check()) as events:
            async for event in events:
                if isinstance(event, WebAnswerFailed):
                    logger.warning("An answer could not be checked online (%s): %s", event.failure, event.cause)
                yield event
        yield AnswerDone(**self._spent_ms, total_ms=(self._parts.clock() - started) * 1000)

    async def _check(self) -> Events:
        begun = self._parts.clock()
        subject = await asyncio.to_thread(self._subject)
        search = partial(self._parts.search, self._question, subject)
        async with start_search(search, self._question, self._parts.search_timeout_s) as running:
            yield await running.event()
            found = await running.result
        self._spend("search_ms", begun)
        if isinstance(found, WebAnswerFailed):
            yield tell_reader_of_check(found, video_alone=self._request.video_alone)
            return
        evidence = Evidence.of(found, at_most=MAX_CHECK_SOURCES)
        if not evidence.sources:
            nothing = no_evidence(self._question, found, self._parts.labels)
            yield tell_reader_of_check(nothing, video_alone=self._request.video_alone)
            return
        yield sources_found(evidence, found, self._parts.labels)
        async with aclosing(self._compare_with(evidence.results, found.constructed.text)) as events:
            async for event in events:
                yield event

    def _subject(self) -> str:
        if self._request.subject is not None:
            return self._request.subject
        return self._parts.subject_of(self._question.video) if self._question.video is not None else ""

    async def _compare_with(self, results: tuple[SearchResult, ...], query: str) -> Events:
        begun = self._parts.clock()
        read = await read_pages(self._worth_reading(results), self._parts.read, self._parts.reading_timeout_s)
        self._spend("reading_ms", begun)
        if read:
            failures = {number: page for number, page in read.items() if isinstance(page, PageFailure)}
            yield PagesRead(pages=tuple(PageOutcome(number=number, failure=failures.get(number, "")) for number in read))
        results = add_page_dates(results, read)
        texts = texts_of(results, read)
        begun = self._parts.clock()
        comparison = await asyncio.to_thread(self._compare, results, texts)
        if comparison is not None:
            summary = stance_summary(comparison)
            self._spend("comparison_ms", begun)
            yield StancesCompared(comparison=comparison, summary=summary)
        begun = self._parts.clock()
        synthesis = await asyncio.to_thread(self._synthesis, results, texts, query, comparison)
        async with aclosing(self._write(synthesis)) as events:
            async for event in events:
                yield event
        self._spend("web_answer_ms", begun)

    def _worth_reading(self, results: Sequence[SearchResult]) -> dict[int, str]:
        """Return by number the addresses of the pages to read; the video's own page tells nothing of it."""
        video_id = self._question.video.video_id if self._question.video is not None else ""
        urls = ((number, result.url) for number, result in enumerate(results, start=1))
        others = [(number, url) for number, url in urls if not video_id or youtube_video_id(url) != video_id]
        return dict(others[: self._parts.pages])

    def _compare(self, results: tuple[SearchResult, ...], texts: Mapping[str, str]) -> Comparison | None:
        """Return how *results* stand to what the answer rests on; None when it rests on nothing that is said in a video."""
        passages = passages_to_check(self._question, self._request.answer, self._parts.scorer)
        if self._question.video is None or not passages:
            return None
        nearness = self._parts.scorer.similarities
        return compare_passages(passages, results, self._question.video, self._parts.now(), texts, nearness)

    def _synthesis(
        self, results: tuple[SearchResult, ...], texts: Mapping[str, str], query: str, comparison: Comparison | None
    ) -> Synthesis:
        answer = self._request.answer
        said = answer.web_text or answer.text if answer is not None else ""
        scorer = self._parts.scorer
        scores = scorer.bearings if scorer.across_languages else None
        evidence = Evidence(add_excerpts(results, texts, f"{self._question.text} {said}", comparison, scores), query)
        return Synthesis(evidence, self._question, said, comparison)

    async def _write(self, synthesis: Synthesis) -> Events:
        notice, shown = "", False
        if self._parts.model is not None:
            draft = Draft(self._parts.model, AnswerPart.WEB)
            async with aclosing(draft.tokens(synthesis.messages())) as tokens:
                async for token in tokens:
                    shown = True
                    yield token
            if draft.error is None:
                nearness = self._parts.scorer.similarities
                answer = await asyncio.to_thread(synthesis.evidence.check_citations, draft.text, nearness)
                yield WebAnswerFinished(
                    text=answer.text, origin=AnswerOrigin.MODEL, cited=answer.cited, unsupported=answer.unsupported
                )
                return
            notice = f"{draft.error.korean} {_EXTRACT_INSTEAD}"
        extract = await asyncio.to_thread(synthesis.extract, self._parts.scorer, notice)
        if not shown:
            yield AnswerToken(part=AnswerPart.WEB, text=extract.text)
        yield WebAnswerFinished(text=extract.text, origin=AnswerOrigin.EXTRACT, cited=extract.cited)

    def _spend(self, what: str, since: float) -> None:
        self._spent_ms[what] = (self._parts.clock() - since) * 1000
