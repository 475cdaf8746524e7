"""One answer held against the web as a stream of events: sources, pages, stances, and what the web adds in prose."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from search_core.answering.checking.excerpts import add_excerpts
from search_core.answering.checking.pages import PageRead, add_page_dates, read_pages, texts_of
from search_core.answering.checking.statements import (
    names_something,
    passages_to_check,
    statement_to_check,
    statements_to_compare,
    words_to_search,
)
from search_core.answering.checking.synthesis import Synthesis
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
    TranscriptPassage,
    VideoContext,
    WebAnswerFailed,
    WebAnswerFinished,
)
from search_core.errors import PageFailure
from search_core.intent import validate_question
from search_core.presenting.wording import judging_text
from search_core.stance import stance_summary
from search_core.stance.compare import judge_sources
from search_core.stance.judgement import Judgement
from search_core.stance.language_model import JudgeModel, judge_open_rows
from search_core.video import youtube_video_id

logger = logging.getLogger(__name__)

Events = AsyncGenerator[AnswerEvent]


class WebSearch(Protocol):
    """Searches the web for an answer."""

    def __call__(
        self,
        question: Question,
        subject: str,
        on_query: QueryCallback,
        /,
        *,
        statement: tuple[str, ...] = (),
        **domains: tuple[str, ...],
    ) -> Awaitable[SearchReport]:
        """Return what the web has on *question* about *subject*, on *domains* by their names in ``SearchOptions``.

        *statement* are the words of what is checked. Hands over the query, on the event loop, as soon as it is put together.
        """
        ...


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
    domains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Domains of the results, by their names in ``SearchOptions``; what is not named is as the settings have it."""

    @property
    def video_alone(self) -> bool:
        """Return whether there is an answer, and nothing in it but what the video says."""
        answer = self.answer
        return bool(self.question.video and answer and not (answer.web_text or answer.own or answer.without_web))


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlineCheck:
    """Holds answers against the web with what it has, and keeps no state about any of them."""

    model: ChatModel | None
    """None sums up by extract."""
    judge: JudgeModel | None = None
    """Judges what rules and the model of entailment leave open; None leaves it so."""
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
    wait_for_reader: Callable[[], None] = lambda: None
    """Returns when pages can be read; called on a worker thread, before the time for them begins."""

    def check(self, request: CheckRequest) -> Events:
        """Return what happens until the check is done, as it happens.

        Closing the generator or cancelling its task stops all that is asked. A ``WebAnswerFinished`` of origin EXTRACT after
        tokens takes their place: the model broke off. Raises QuestionError at once for a question that is empty or too long, and
        later EmbeddingError when texts cannot be embedded, not even by the embedded embedder. What the search, the pages and the
        model fail to do is reported by events.
        """
        question = replace(request.question, text=validate_question(request.question.text))
        return _Checking(self, replace(request, question=question)).events()


class _Checking:
    """One check under way."""

    def __init__(self, parts: OnlineCheck, request: CheckRequest) -> None:
        self._parts = parts
        self._request = request
        self._question = request.question
        self._passages: tuple[TranscriptPassage, ...] = ()
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
        statement = await asyncio.to_thread(self._statement)
        subject = await asyncio.to_thread(self._subject, statement)
        words = words_to_search(statement, self._question.text)
        begun = self._parts.clock()

        def search(on_query: QueryCallback) -> Awaitable[SearchReport]:
            return self._parts.search(self._question, subject, on_query, statement=words, **self._request.domains)

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

    def _statement(self) -> str:
        self._passages = passages_to_check(self._question, self._request.answer, self._parts.scorer)
        return statement_to_check(self._question, self._request.answer, self._passages, self._parts.scorer)

    def _subject(self, statement: str) -> str:
        """Return what goes before the query: what was given, or the subject of the video where no name or thing is spoken of."""
        if self._request.subject is not None:
            return self._request.subject
        if self._question.video is None or names_something(self._question.text) or names_something(statement):
            return ""
        return self._parts.subject_of(self._question.video)

    async def _compare_with(self, results: tuple[SearchResult, ...], query: str) -> Events:
        begun = self._parts.clock()
        urls, reader = self._worth_reading(results), self._parts.wait_for_reader
        read = await read_pages(urls, self._parts.read, self._parts.reading_timeout_s, reader)
        self._spend("reading_ms", begun)
        if read:
            failures = {number: page for number, page in read.items() if isinstance(page, PageFailure)}
            yield PagesRead(pages=tuple(PageOutcome(number=number, failure=failures.get(number, "")) for number in read))
        results = add_page_dates(results, read)
        texts = texts_of(results, read)
        begun = self._parts.clock()
        comparison = None
        judged = await asyncio.to_thread(self._judge, results, texts)
        if judged is not None:
            judged, told = await self._judge_further(judged)
            comparison = judged.comparison()
            self._spend("comparison_ms", begun)
            yield StancesCompared(comparison=comparison, summary=" ".join((stance_summary(comparison), *told)))
        begun = self._parts.clock()
        synthesis = await asyncio.to_thread(self._synthesis, results, texts, query, comparison)
        async with aclosing(self._write(synthesis)) as events:
            async for event in events:
                yield event
        self._spend("web_answer_ms", begun)

    def _worth_reading(self, results: Sequence[SearchResult]) -> dict[int, str]:
        """Return by number the addresses of the pages to read; the video's own page is not among them."""
        video_id = self._question.video.video_id if self._question.video is not None else ""
        urls = ((number, result.url) for number, result in enumerate(results, start=1))
        others = [(number, url) for number, url in urls if not video_id or youtube_video_id(url) != video_id]
        return dict(others[: self._parts.pages])

    def _judge(self, results: tuple[SearchResult, ...], texts: Mapping[str, str]) -> Judgement | None:
        """Return how *results* stand to what the answer rests on; None when it rests on nothing that is asserted in a video."""
        video, scorer = self._question.video, self._parts.scorer
        statements = statements_to_compare(self._question, self._passages, scorer) if video is not None else ()
        if video is None or not statements:
            return None
        return judge_sources(
            statements,
            results,
            video,
            self._parts.now(),
            texts,
            scorer.similarities,
            entails=scorer.entailments,
            open_windows=self._parts.judge is not None,
        )

    async def _judge_further(self, judged: Judgement) -> tuple[Judgement, tuple[str, ...]]:
        """Return *judged* with what a language model decides of it, and in Korean sentences what that took and what failed."""
        if self._parts.judge is None or not judged.open:
            return judged, ()
        language = await judge_open_rows(self._parts.judge, judged.open, self._parts.scorer.entailments)
        return judged.with_decided(language.rows, language.silent), judging_text(language.cost, language.failure)

    def _synthesis(
        self, results: tuple[SearchResult, ...], texts: Mapping[str, str], query: str, comparison: Comparison | None
    ) -> Synthesis:
        answer = self._request.answer
        earlier_answer = answer.web_text or answer.text if answer is not None else ""
        scorer = self._parts.scorer
        scores = scorer.bearings if scorer.across_languages else None
        evidence = Evidence(add_excerpts(results, texts, f"{self._question.text} {earlier_answer}", comparison, scores), query)
        return Synthesis(evidence, self._question, earlier_answer, comparison)

    async def _write(self, synthesis: Synthesis) -> Events:
        notice, shown = "", False
        if self._parts.model is not None:
            draft = Draft(self._parts.model, AnswerPart.WEB)
            asked = synthesis.messages()
            async with aclosing(draft.tokens(asked)) as tokens:
                async for token in tokens:
                    shown = True
                    yield token
            if draft.error is None:
                nearness = self._parts.scorer.similarities
                answer = await asyncio.to_thread(synthesis.evidence.check_citations, draft.text, asked, nearness)
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
