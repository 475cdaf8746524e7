"""One answer held against the web as a stream of events: sources, pages, stances, and what the web adds in prose."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from search_core.answers.checking.statements import (
    passages_to_check,
    statement_to_check,
    statements_to_compare,
    words_to_search,
)
from search_core.answers.checking.synthesis import Synthesis, add_excerpts
from search_core.answers.draft import ChatModel, Draft
from search_core.answers.web_answer import Evidence
from search_core.answers.web_check import MAX_SOURCES, WebCheck
from search_core.answers.web_search import no_evidence, sources_found, tell_reader_of_check
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
    SearchResult,
    StancesCompared,
    TranscriptPassage,
    WebAnswerFailed,
    WebAnswerFinished,
)
from search_core.errors import PageFailure
from search_core.presenting.wording import judging_text
from search_core.search.intent import validate_question
from search_core.stance import stance_summary
from search_core.stance.compare import judge_sources
from search_core.stance.judge import Judgement
from search_core.video import youtube_video_id

logger = logging.getLogger(__name__)

Events = AsyncGenerator[AnswerEvent]


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


@dataclass(frozen=True, slots=True)
class OnlineCheck:
    """Holds answers against the web."""

    web: WebCheck
    model: ChatModel | None
    """None sums up by extract."""

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
        self._web = parts.web
        self._model = parts.model
        self._request = request
        self._question = request.question
        self._passages: tuple[TranscriptPassage, ...] = ()
        self._spent_ms = dict.fromkeys(("search_ms", "reading_ms", "comparison_ms", "web_answer_ms"), 0.0)

    async def events(self) -> Events:
        await asyncio.to_thread(self._web.ready)
        started = self._web.clock()
        async with aclosing(self._check()) as events:
            async for event in events:
                if isinstance(event, WebAnswerFailed):
                    logger.warning("An answer could not be checked online (%s): %s", event.failure, event.cause)
                yield event
        yield AnswerDone(**self._spent_ms, total_ms=self._web.since(started))

    async def _check(self) -> Events:
        statement = await asyncio.to_thread(self._statement)
        subject = await asyncio.to_thread(self._subject, statement)
        words = words_to_search(statement, self._question.text)
        begun = self._web.clock()
        async with self._web.start_search(self._question, subject, statement=words, **self._request.domains) as running:
            yield await running.event()
            found = await running.result
        self._spend("search_ms", begun)
        if isinstance(found, WebAnswerFailed):
            yield tell_reader_of_check(found, video_alone=self._request.video_alone)
            return
        evidence = Evidence.of(found, at_most=MAX_SOURCES)
        if not evidence.sources:
            nothing = no_evidence(self._question, found, self._web.labels)
            yield tell_reader_of_check(nothing, video_alone=self._request.video_alone)
            return
        yield sources_found(evidence, found, self._web.labels)
        async with aclosing(self._compare_with(evidence.results, found.constructed.text)) as events:
            async for event in events:
                yield event

    def _statement(self) -> str:
        self._passages = passages_to_check(self._question, self._request.answer, self._web.scorer)
        return statement_to_check(self._question, self._request.answer, self._passages, self._web.scorer)

    def _subject(self, statement: str) -> str:
        """Return what goes before the query: what was given, or the subject of the video where no name or thing is spoken of.

        A question that stands alone, and of which the video says nothing, is not about its subject.
        """
        if self._request.subject is not None:
            return self._request.subject
        asked = self._web.scorer.parse(self._question)
        if not (statement or asked.resolved or asked.whole):
            return ""
        return self._web.subject(self._question.video, self._question.text, statement)

    async def _compare_with(self, results: tuple[SearchResult, ...], query: str) -> Events:
        begun = self._web.clock()
        results, pages, texts = await self._web.read_sources(results, self._of_video(results))
        self._spend("reading_ms", begun)
        if pages:
            failures = {number: page for number, page in pages.items() if isinstance(page, PageFailure)}
            yield PagesRead(pages=tuple(PageOutcome(number=number, failure=failures.get(number, "")) for number in pages))
        begun = self._web.clock()
        comparison = None
        judged = await asyncio.to_thread(self._judge, results, texts)
        if judged is not None:
            language = await self._web.judge_open(judged.open)
            comparison = judged.with_decided(language.rows, language.silent).comparison()
            self._spend("comparison_ms", begun)
            told = judging_text(language.cost, language.failure)
            yield StancesCompared(comparison=comparison, summary=" ".join((stance_summary(comparison), *told)))
        begun = self._web.clock()
        synthesis = await asyncio.to_thread(self._synthesis, results, texts, query, comparison)
        async with aclosing(self._write(synthesis)) as events:
            async for event in events:
                yield event
        self._spend("web_answer_ms", begun)

    def _of_video(self, results: Sequence[SearchResult]) -> list[int]:
        """Return the numbers of the sources that are the video's own page."""
        video_id = self._question.video.video_id if self._question.video is not None else ""
        return [number for number, each in enumerate(results, start=1) if video_id and youtube_video_id(each.url) == video_id]

    def _judge(self, results: tuple[SearchResult, ...], texts: Mapping[str, str]) -> Judgement | None:
        """Return how *results* stand to what the answer rests on; None when it rests on nothing that is asserted in a video."""
        video, scorer = self._question.video, self._web.scorer
        statements = statements_to_compare(self._question, self._passages, scorer) if video is not None else ()
        if video is None or not statements:
            return None
        return judge_sources(
            statements,
            results,
            video,
            self._web.now(),
            texts,
            scorer.similarities,
            entails=scorer.entailments,
            open_windows=self._web.judge is not None,
        )

    def _synthesis(
        self, results: tuple[SearchResult, ...], texts: Mapping[str, str], query: str, comparison: Comparison | None
    ) -> Synthesis:
        answer = self._request.answer
        earlier_answer = answer.web_text or answer.text if answer is not None else ""
        scorer = self._web.scorer
        scores = scorer.bearings if scorer.across_languages else None
        evidence = Evidence(add_excerpts(results, texts, f"{self._question.text} {earlier_answer}", comparison, scores), query)
        return Synthesis(evidence, self._question, earlier_answer, comparison)

    async def _write(self, synthesis: Synthesis) -> Events:
        notice, shown = "", False
        if self._model is not None:
            draft = Draft(self._model, AnswerPart.WEB)
            asked = synthesis.messages()
            async with aclosing(draft.tokens(asked)) as tokens:
                async for token in tokens:
                    shown = True
                    yield token
            if draft.error is None:
                nearness = self._web.scorer.similarities
                answer = await asyncio.to_thread(synthesis.evidence.check_citations, draft.text, asked, nearness)
                yield WebAnswerFinished(
                    text=answer.text, origin=AnswerOrigin.MODEL, cited=answer.cited, unsupported=answer.unsupported
                )
                return
            notice = f"{draft.error.korean} {_EXTRACT_INSTEAD}"
        extract = await asyncio.to_thread(synthesis.extract, self._web.scorer, notice)
        if not shown:
            yield AnswerToken(part=AnswerPart.WEB, text=extract.text)
        yield WebAnswerFinished(text=extract.text, origin=AnswerOrigin.EXTRACT, cited=extract.cited)

    def _spend(self, what: str, since: float) -> None:
        self._spent_ms[what] = self._web.since(since)
