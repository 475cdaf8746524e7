"""A sample video, what scores its passages, and answers to questions about it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from search_core.answers.fallback_detector import FallbackDetector
from search_core.answers.flow import AnswerFlow
from search_core.answers.question_scorer import ParsedQuestion, QuestionScorer
from search_core.answers.quotes import read_passages
from search_core.answers.support import amounts_missing
from search_core.domain.conversation import AnswerEvent, AnswerPart, AnswerToken
from search_core.domain.query import ConversationMemory
from search_core.domain.report import Question, SearchOptions, SearchReport
from search_core.domain.video import TranscriptPassage, TranscriptSegment, VideoContext
from search_core.language.vectors import Embedder
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.providers.kit.contract import SearchRequest
from search_core.search.gathering.aggregate import ResultAggregator
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.pipeline import SearchPipeline, Stages
from search_core.search.ranking.filter import RelevanceFilter
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.query_writer import QueryWriter
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.video.upload import samples
from tests.search_core.scripted import ScriptedProvider
from tests.search_core.search.ranking.conftest import Broken

Event = TypeVar("Event")
NOW = datetime(2026, 11, 21, tzinfo=UTC)


def hbm() -> VideoContext:
    """Return the sample video about memory."""
    return next(video for video in samples() if video.video_id == "sample-hbm")


def scorer() -> QuestionScorer:
    """Return what scores by the embedded embedder."""
    return QuestionScorer(
        relevance=lambda: RelevanceFilter(KiwiEmbedder()), analyzer=QueryIntentAnalyzer(), constructor=QueryConstructor()
    )


def failing_scorer(fallback: KiwiEmbedder | None = None) -> QuestionScorer:
    """Return what scores with a model that fails, and then with the *fallback*."""
    relevance = RelevanceFilter(Broken(), fallback=fallback)
    return replace(scorer(), relevance=lambda: relevance)


def best_quotes(
    asked: ParsedQuestion, passages: Sequence[TranscriptPassage], scored_by: QuestionScorer
) -> tuple[TranscriptSegment, ...]:
    """Return what of *passages* an answer quotes."""
    found = read_passages(asked, passages, scored_by)
    return found.best() if found is not None and found.answers else ()


def asking(text: str, video: VideoContext | None = None, *, earlier: tuple[str, ...] = ()) -> Question:
    """Return a question about *video*, after *earlier* ones."""
    return Question(text=text, video=video, memory=ConversationMemory.from_questions(earlier))


def pipeline_of(
    *providers: ScriptedProvider,
    deadline_s: float = 30,
    embedder: Embedder | None = None,
    constructor: QueryConstructor | None = None,
    writer: QueryWriter | None = None,
) -> SearchPipeline:
    """Return a real search over *providers*."""
    named = {provider.name: provider for provider in providers}
    return SearchPipeline(
        Stages(
            analyzer=QueryIntentAnalyzer(),
            constructor=constructor or QueryConstructor(now=lambda: NOW),
            manager=MultiProviderSearchManager(
                named, (tuple(named),), cache=None, timeout_s=deadline_s, deadline_s=deadline_s, ttl_s=0
            ),
            aggregator=ResultAggregator(),
            relevance=lambda: RelevanceFilter(embedder or KiwiEmbedder(), now=lambda: NOW),
            summarizer=None,
            now=lambda: NOW,
            deadline_s=deadline_s,
            missing_numbers=amounts_missing,
            asked=SearchRequest(query=""),
            summary_deadline_s=1,
            writer=writer,
            lexical_filter=lambda: RelevanceFilter(KiwiEmbedder(), now=lambda: NOW),
        )
    )


def searching(*providers: ScriptedProvider) -> Callable[[Question, Callable[[str], None]], Awaitable[SearchReport]]:
    """Return what an answer searches the web with."""
    search = web_search(*providers, as_asked=True)
    return lambda question, tell: search(question, "", tell)


def web_search(*providers: ScriptedProvider, **options: Any) -> Callable[..., Awaitable[SearchReport]]:
    """Return what a check searches the web with, under *options* of all its searches."""
    pipeline = pipeline_of(*providers)

    def search(
        question: Question, subject: str, tell: Callable[[str], None], *, fresh: bool = False, **how: Any
    ) -> Awaitable[SearchReport]:
        return pipeline.run(
            question,
            SearchOptions(subject=subject, use_cache=not fresh, **how, **options),
            lambda progress: tell(progress.constructed.text) if progress.constructed is not None else None,
        )

    return search


def flow(model: Any, search: Callable[..., Awaitable[SearchReport]], **changes: Any) -> AnswerFlow:
    """Return the real flow with *model* and *search*."""
    return AnswerFlow(model=model, detector=FallbackDetector(), scorer=scorer(), search=search, **changes)


def events_of(flow: AnswerFlow, question: Question) -> list[AnswerEvent]:
    """Return all events of one answer."""
    return all_of(flow.answer(question))


def all_of(stream: AsyncGenerator[AnswerEvent]) -> list[AnswerEvent]:
    """Return all events of *stream*."""

    async def read() -> list[AnswerEvent]:
        return [event async for event in stream]

    return asyncio.run(read())


def only(events: Iterable[AnswerEvent], kind: type[Event]) -> Event:
    """Return the one event of *kind*."""
    [found] = [event for event in events if isinstance(event, kind)]
    return found


def said(events: Iterable[AnswerEvent], part: AnswerPart) -> str:
    """Return the tokens of one part together."""
    return "".join(event.text for event in events if isinstance(event, AnswerToken) and event.part is part)


def kinds(events: Sequence[AnswerEvent]) -> list[type]:
    """Return the kinds of *events*, tokens in a row as one."""
    found = [type(event) for event in events]
    return [kind for place, kind in enumerate(found) if kind is not AnswerToken or found[place - 1] is not AnswerToken]


async def follow(stream: AsyncGenerator[AnswerEvent]) -> None:
    """Read *stream* to its end."""
    async with aclosing(stream) as events:
        async for _ in events:
            pass


async def cancel_when(begun: Callable[[], object], work: Coroutine[Any, Any, object]) -> None:
    """Cancel *work* once *begun* returns anything, and assert that no task is left."""
    task = asyncio.create_task(work)
    async with asyncio.timeout(30):
        while not begun():  # noqa: ASYNC110 - a list that fills, or an event
            await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert asyncio.all_tasks() == {asyncio.current_task()}
