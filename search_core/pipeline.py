"""One search as a sentence: understand, build the query, ask, merge, score, arrange, summarise.

Each stage takes values and returns values. Stages that compute run on worker threads, so that one search never holds up the event
loop under another.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from search_core.answering.support import amounts_missing
from search_core.domain import (
    ConstructedQuery,
    Degradation,
    DegradedPart,
    ProviderReply,
    Question,
    SearchIntent,
    SearchOptions,
    SearchReport,
    SearchResult,
)
from search_core.gathering import GatheringProgress
from search_core.intent import validate_question
from search_core.job import SearchProgress
from search_core.presenting import Nearness, add_summaries
from search_core.provider_kit import SearchRequest
from search_core.relevance import Scored
from search_core.runtime import Stopwatch, wait_or_finish
from search_core.search_steps import (
    INTENT_DEGRADED,
    Stages,
    add_reply,
    construct,
    is_worth_another_round,
    not_asked,
    not_awaited,
    place,
    rounds,
    score,
    show_after_answers,
    understood,
)

logger = logging.getLogger(__name__)
T = TypeVar("T")
ProgressCallback = Callable[[SearchProgress], None]

MIN_FALLBACK_S = 0.5
"""A broader query is not started with less than this left of the deadline."""


class SearchPipeline:
    """Runs searches; holds no state about any of them."""

    def __init__(self, stages: Stages) -> None:
        self._stages = stages

    def run(
        self, question: Question, options: SearchOptions, watch: ProgressCallback, finish: asyncio.Event | None = None
    ) -> Coroutine[Any, Any, SearchReport]:
        """Return one search, to be awaited for its report; *watch* hears of every step, and of results that wait for summaries.

        Once *finish* is set the report is made of what there is and says what is missing; with nothing, it ends as cancelled.
        Raises QuestionError at once for a question that cannot be searched for. Providers, scoring and summaries never raise:
        their failures are in the report.
        """
        return _Run(self._stages, question, options, watch, finish or asyncio.Event()).report()

    def rescore(self, report: SearchReport) -> SearchReport:
        """Return *report* scored anew by the embedder that is ready now, and placed as before; asks no service."""
        results = (*report.results, *report.hidden)
        scored = score(self._stages.relevance, report.question, results, report.intent, report.constructed)
        others = (each for each in report.degradations if each.part is not DegradedPart.SCORING)
        shown, hidden = place(scored.results, report.options.ranking)
        return replace(report, results=shown, hidden=hidden, scorer=scored.scorer, degradations=(*others, *scored.degradations))

    def report_on(self, question: Question, results: Sequence[SearchResult], options: SearchOptions) -> SearchReport:
        """Return the report of a search for *question* that found *results*; asks no service.

        Results that all have the parts of their scores keep them; else all are scored. Raises QuestionError as `run` does.
        """
        question = replace(question, text=validate_question(question.text))
        stages = self._stages
        intent = stages.analyzer.analyze_intent(question.text, question.video, question.memory)
        constructed = stages.constructor.construct_query(intent, question.video, question.memory)
        scored = Scored(results=tuple(results), scorer="kept")
        if any(result.parts is None for result in results):
            scored = score(stages.relevance, question, results, intent, constructed)
        shown, hidden = place(scored.results, options.ranking)
        return SearchReport(
            question=question,
            options=options,
            intent=intent,
            constructed=constructed,
            replies=(),
            results=shown,
            hidden=hidden,
            scorer=scored.scorer,
            degradations=scored.degradations,
            created_at=stages.now(),
        )

    def warm_up(self, question: Question) -> None:
        """Run the computing stages once, so that the tables they load are there for the first search; sends no request."""
        spoken = question.video.transcript[:20] if question.video else ()
        text = " ".join(segment.text for segment in spoken)
        self.report_on(question, [SearchResult(title=question.text, url="rehearsal:1", snippet=text, source="")], SearchOptions())


class _Run:
    """One search under way."""

    def __init__(
        self, stages: Stages, question: Question, options: SearchOptions, watch: ProgressCallback, finish: asyncio.Event
    ) -> None:
        self._finish = finish
        self._stages = stages
        self._question = replace(question, text=validate_question(question.text))
        self._options = options
        self._watch = watch
        self._compute_ms = 0.0
        self._degradations: list[Degradation] = []
        self._answered = asyncio.Event()
        self._not_asked: tuple[str, ...] = ()
        self._progress = SearchProgress(phase="understanding")
        self._web_wanted = not options.providers or any(map(stages.manager.is_web, options.providers))

    async def report(self) -> SearchReport:
        self._started = time.monotonic()
        if self._stages.ahead is not None:
            self._stages.ahead.take_video(self._question.video)
        intent = await self._own_step(self._understand)
        constructed = await self._own_step(construct, self._stages.constructor, self._question, self._options, intent)
        self._tell(phase="asking", constructed=constructed)
        replies = await self._ask(intent, constructed)
        self._not_asked = await asyncio.to_thread(not_asked, self._stages.manager, self._options, replies)
        self._tell(phase="scoring", waiting=())
        found = await self._score_and_place(intent, constructed, replies)
        self._degradations.extend(found.degradations)
        self._tell(phase="summarizing")
        nearness = self._stages.relevance().nearness_to(self._question.text, found.scorer)

        def report(shown: tuple[SearchResult, ...]) -> SearchReport:
            return self._finished(replace(found, results=shown))

        return report(await self._summarize(found.results, nearness, lambda shown: self._tell(report=report(shown))))

    async def _score_and_place(
        self, intent: SearchIntent, constructed: ConstructedQuery, replies: tuple[ProviderReply, ...]
    ) -> SearchReport:
        """Return what *replies* come to, without summaries of what is shown; its degradations are those of scoring."""
        merged = await self._own_step(self._stages.aggregator.aggregate, replies)
        scored = await self._score_in_time(merged, intent, constructed)
        shown, hidden = await self._own_step(place, scored.results, self._options.ranking)
        hidden, _ = await add_summaries(hidden, None, deadline_s=0)
        return SearchReport(
            question=self._question,
            options=self._options,
            intent=intent,
            constructed=constructed,
            replies=replies,
            results=shown,
            hidden=hidden,
            scorer=scored.scorer,
            degradations=scored.degradations,
            web_wanted=self._web_wanted,
        )

    def _finished(self, report: SearchReport, *more: Degradation) -> SearchReport:
        """Return *report* with all that went wrong so far and the time it took."""
        return replace(
            report,
            degradations=(*self._degradations, *more),
            not_asked=self._not_asked,
            elapsed_ms=(time.monotonic() - self._started) * 1000,
            compute_ms=self._compute_ms,
            created_at=self._stages.now(),
        )

    async def _show_early(self, intent: SearchIntent, constructed: ConstructedQuery) -> None:
        """Publish what the web has found so far while services are awaited; own documents never replace the web."""
        replies, waiting = self._progress.replies, self._progress.waiting
        if not waiting or not any(reply.results for reply in replies if reply.web or not self._web_wanted):
            return
        found = await self._score_and_place(intent, constructed, replies)
        shown, _ = await add_summaries(found.results, None, deadline_s=0)
        self._tell(report=replace(self._finished(found, *found.degradations), results=shown, waiting=waiting))

    async def _own_step(self, step: Callable[..., T], *args: Any) -> T:
        own = Stopwatch()

        def run_timed() -> T:
            with own:
                return step(*args)

        try:
            return await asyncio.to_thread(run_timed)
        finally:
            self._compute_ms += own.total_ms

    def _tell(self, **changes: Any) -> None:
        self._progress = replace(self._progress, **changes, elapsed_s=time.monotonic() - self._started)
        self._watch(self._progress)

    def _understand(self) -> SearchIntent:
        intent = self._stages.analyzer.analyze_intent(self._question.text, self._question.video, self._question.memory)
        if intent.degraded:
            self._degradations.append(INTENT_DEGRADED)
        return intent

    async def _ask(self, intent: SearchIntent, constructed: ConstructedQuery) -> tuple[ProviderReply, ...]:
        replies: list[ProviderReply] = []
        fresh_only = False
        asked = self._stages.request(self._question, self._options, intent, constructed)
        meant = understood(self._question, intent, constructed)
        for query, freshness in rounds(intent, constructed, self._options, self._stages.scope.news_freshness):
            left_s = self._stages.deadline_s - (time.monotonic() - self._started)
            if replies and (left_s < MIN_FALLBACK_S or not is_worth_another_round(replies, fresh_only=fresh_only)):
                break
            broader = () if replies else constructed.fallback_queries[: self._options.broader_queries]
            request = replace(asked, query=query, question=meant, freshness=freshness, broader=broader)
            replies.extend(await self._ask_once(request, left_s, partial(self._show_early, intent, constructed)))
            fresh_only = freshness is not None
            if self._finish.is_set():
                replies.extend(self._not_awaited(query, replies))
                break
        return tuple(replies)

    def _not_awaited(self, query: str, replies: Sequence[ProviderReply]) -> list[ProviderReply]:
        """Return replies for the services that a stop has left; raises CancelledError where none has found anything."""
        if not any(reply.results for reply in replies):
            raise asyncio.CancelledError
        # Services that were left may have had something: the web is neither away nor empty.
        self._web_wanted = self._web_wanted and any(reply.web and reply.results for reply in replies)
        return [not_awaited(name, query, web=self._stages.manager.is_web(name)) for name in self._progress.waiting]

    async def _ask_once(
        self, request: SearchRequest, left_s: float, show_early: Callable[[], Awaitable[None]]
    ) -> tuple[ProviderReply, ...]:
        options = self._options
        before = len(self._progress.replies)
        search = asyncio.create_task(
            self._stages.manager.search(
                request,
                options.providers,
                on_progress=self._hear,
                use_cache=options.use_cache,
                deadline_s=max(left_s, MIN_FALLBACK_S),
                first=options.first,
            )
        )
        early = asyncio.create_task(show_after_answers(self._answered, options.early_after_s, show_early))
        try:
            await wait_or_finish(search, self._finish)
        finally:
            early.cancel()
        return self._progress.replies[before:] if search.cancelled() else search.result()

    def _hear(self, event: GatheringProgress) -> None:
        waiting = tuple(name for name in self._progress.waiting if name != event.provider)
        if event.reply is None:
            self._tell(waiting=(*waiting, event.provider))
        else:
            if self._stages.ahead is not None:
                self._stages.ahead.take_results(event.reply.results)
            self._tell(waiting=waiting, replies=add_reply(self._progress.replies, event.reply))
            self._answered.set()

    async def _score_in_time(self, merged: Sequence[SearchResult], intent: SearchIntent, constructed: ConstructedQuery) -> Scored:
        """Score by the best embedder, or by words where the page has waited long enough for it; what it embeds is kept."""
        asked = (self._question, merged, intent, constructed)
        best = asyncio.ensure_future(self._own_step(score, self._stages.relevance, *asked))
        patience_s = self._options.words_after_s
        if patience_s is None or self._stages.lexical_filter is None:
            return await best
        done, _ = await asyncio.wait((best,), timeout=patience_s)
        return best.result() if done else await self._own_step(score, self._stages.lexical_filter, *asked)

    async def _summarize(
        self, results: Sequence[SearchResult], nearness: Nearness, watch: Callable[[tuple[SearchResult, ...]], None]
    ) -> tuple[SearchResult, ...]:
        summarized, degradations = await add_summaries(
            results,
            self._stages.summarizer,
            deadline_s=self._stages.summary_deadline_s,
            own_documents=self._stages.own_documents_to_model,
            nearness=nearness,
            missing_numbers=amounts_missing,
            watch=watch,
            finish=self._finish,
        )
        self._degradations.extend(degradations)
        return summarized
