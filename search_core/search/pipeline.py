"""One search: understand, build the query, ask, merge, score, arrange, summarise.

Stages that compute run on worker threads, so that one search never holds up the event loop under another.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from search_core.domain.query import (
    ConstructedQuery,
    PartOrigin,
    QueryVariant,
    SearchIntent,
    SearchType,
    VariantOrigin,
    WritingOutcome,
    WrittenQuery,
)
from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.report import Degradation, DegradedPart, Question, SearchOptions, SearchReport
from search_core.domain.result import SCORE_SCALE, RankingOptions, SearchResult
from search_core.domain.video import VideoContext
from search_core.errors import check_moment
from search_core.job import SearchProgress
from search_core.providers.kit.contract import SearchRequest
from search_core.runtime import computing, wait_or_finish
from search_core.search.gathering.aggregate import ResultAggregator, add_behind
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.presenting.summaries import MissingNumbers, Summarizer, add_summaries
from search_core.search.ranking.filter import RelevanceFilter, arrange
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.context import video_subject_at
from search_core.search.understanding.question import QueryIntentAnalyzer, validate_question
from search_core.search.understanding.resolution import refuse_unknown_company

if TYPE_CHECKING:
    from search_core.search.understanding.query_writer import QueryWriter

T = TypeVar("T")
ProgressCallback = Callable[[SearchProgress], None]

MIN_FALLBACK_S = 0.5
"""A broader query is not started with less than this left of the deadline."""
_SAID = (PartOrigin.QUESTION, PartOrigin.DATE)
INTENT_DEGRADED = Degradation(
    part=DegradedPart.INTENT,
    cause="Intent analysis failed; plain keywords were used.",
    korean="질문을 분석하지 못해서 단어 그대로 검색했어요.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """Holds the parts of a search."""

    analyzer: QueryIntentAnalyzer
    constructor: QueryConstructor
    manager: MultiProviderSearchManager
    aggregator: ResultAggregator
    relevance: Callable[[], RelevanceFilter]
    """Returns the filter with the best embedder that is ready now; never waits for a model to load."""
    summarizer: Summarizer | None
    now: Callable[[], datetime]
    deadline_s: float
    summary_deadline_s: float
    missing_numbers: MissingNumbers
    """Returns the numbers and times of a summary that are missing in its text."""
    asked: SearchRequest
    """The request to services, for all fields that a search does not set itself."""
    own_documents_to_model: bool = False
    """Whether documents of the library may go to the summarizer."""
    writer: QueryWriter | None = None
    """Has a language model write one more query; None to do without."""
    lexical_filter: Callable[[], RelevanceFilter] | None = None
    """Returns the filter that scores by words until the one by meaning is ready; None makes every search wait."""

    def request(self, report: SearchReport) -> SearchRequest:
        """Return the request to services for the question of *report*."""
        intent, constructed, video = report.intent, report.constructed, report.question.video
        return replace(
            self.asked,
            query=constructed.text,
            translated=constructed.translated,
            also=constructed.also,
            question=understood(report),
            language=intent.language_preference,
            news=intent.intent_type is SearchType.NEWS,
            samples=video is None or video.sample,
        )


class SearchPipeline:
    """Runs searches; holds no state about any search."""

    def __init__(self, stages: Stages) -> None:
        self._stages = stages

    def run(
        self, question: Question, options: SearchOptions, watch: ProgressCallback, finish: asyncio.Event | None = None
    ) -> Coroutine[Any, Any, SearchReport]:
        """Return one search as a coroutine for its report; *watch* is told every step.

        Once *finish* is set, the report is made from the results so far and says what is missing; without results the search ends
        as cancelled. Raises QuestionError at once for an invalid question. Failures of providers, scoring and summaries are in
        the report.
        """
        question = replace(question, text=validate_question(question.text))
        check_moment(question.moment_s)
        return _Run(self._stages, question, options, watch, finish or asyncio.Event()).report()

    def read_video(self, video: VideoContext) -> None:
        """Embed what *video* is about, so that the first question need not wait for it."""
        self._stages.relevance().read_video(video)


class _Run:
    """One search in progress."""

    def __init__(
        self, stages: Stages, question: Question, options: SearchOptions, watch: ProgressCallback, finish: asyncio.Event
    ) -> None:
        self._finish, self._stages, self._question = finish, stages, question
        self._options = options
        self._watch = watch
        self._own_ms = 0.0
        self._answered = asyncio.Event()
        self._shown: SearchReport | None = None
        """The results that the page already shows while other services are awaited, without summaries."""
        self._progress = SearchProgress(phase="understanding")
        self._rounds_before = 0
        """How many of the replies are of rounds that have ended."""
        self._written: WrittenQuery | None = None
        self._web_wanted = not options.providers or any(map(stages.manager.is_web, options.providers))

    async def report(self) -> SearchReport:
        self._started = time.monotonic()
        relevance = self._stages.relevance()
        self._reading = asyncio.get_running_loop().run_in_executor(None, relevance.read_video, self._question.video)
        begun = await self._own_step(self._understand)
        self._tell(phase="asking", constructed=begun.constructed)
        options, manager = self._options, self._stages.manager
        may_write = not (options.verbatim or options.subject) and manager.takes_asides(options.providers)
        writer = self._stages.writer if may_write else None
        writing = asyncio.create_task(self._write(writer, begun)) if writer is not None else None
        try:
            replies = await self._ask(begun, writing)
        finally:
            if writing is not None:
                writing.cancel()
        if (written := self._written) is not None:
            also = (*begun.constructed.also, *filter(None, [_variant_of(written)]))
            begun = replace(begun, constructed=replace(begun.constructed, also=also), written=written)
            self._tell(constructed=begun.constructed)
        not_asked = await asyncio.to_thread(self._not_asked, replies)
        self._tell(phase="scoring", waiting=())
        scored = replace(await self._score_and_place(begun, replies), not_asked=not_asked)
        hidden, _ = await add_summaries(scored.hidden, None, deadline_s=0, asked=self._question.text)
        self._tell(phase="summarizing")
        shown, degradations = await add_summaries(
            scored.results,
            self._stages.summarizer,
            deadline_s=self._stages.summary_deadline_s,
            own_documents=self._stages.own_documents_to_model,
            nearness=self._stages.relevance().nearness_to(self._question.text, scored.scorer),
            asked=self._question.text,
            missing_numbers=self._stages.missing_numbers,
            watch=lambda shown: self._tell(report=self._finished(replace(scored, results=shown, hidden=hidden))),
            finish=self._finish,
        )
        degradations = (*scored.degradations, *degradations)
        return self._finished(replace(scored, results=shown, hidden=hidden, degradations=degradations))

    def _understand(self) -> SearchReport:
        question = self._question
        intent = self._stages.analyzer.analyze_intent(question.text, question.video, question.memory, moment_s=question.moment_s)
        constructed = construct(self._stages.constructor, question, self._options, intent)
        report = begin_report(question, self._options, intent, constructed)
        return replace(report, degradations=(INTENT_DEGRADED,)) if intent.degraded else report

    async def _write(self, writer: QueryWriter, begun: SearchReport) -> QueryVariant | None:
        """Return the query that a language model wrote, unless the user removed it; record the outcome."""
        constructed = begun.constructed
        question, asked = begun.question, (constructed.text, *(variant.text for variant in constructed.also))
        subject = await asyncio.to_thread(_subject_of, question)
        written = await writer.write(question, begun.intent, asked, subject=subject, moment_s=question.moment_s)
        if written.outcome is WritingOutcome.WRITTEN and any(part in written.text for part in self._options.without_parts):
            written = replace(written, outcome=WritingOutcome.TAKEN_AWAY)
        self._written = written
        return _variant_of(written)

    async def _score_and_place(self, begun: SearchReport, replies: tuple[ProviderReply, ...]) -> SearchReport:
        """Return the report on *replies* without summaries; visible results keep their places and scores."""
        merged = await self._own_step(self._stages.aggregator.aggregate, replies)
        report, shown = replace(begun, replies=replies, web_wanted=self._web_wanted), self._shown
        if shown is None:
            return await self._score_in_time(report, merged)
        known, new = add_behind((*shown.results, *shown.hidden), merged)
        relevance = self._stages.relevance
        if self._stages.lexical_filter is not None and shown.scorer != relevance().embedder.name:
            relevance = self._stages.lexical_filter
        added = await self._own_step(score, report, new, relevance)
        turn = 1 + max(result.late for result in known) if any(not result.own for result in known) else 0
        behind = (replace(result, late=0 if result.own else turn) for result in (*added.results, *added.hidden))
        whole = replace(added, results=(*known, *behind), hidden=(), scorer=shown.scorer)
        degradations = tuple(dict.fromkeys((*shown.degradations, *added.degradations)))
        return rearrange(replace(whole, degradations=degradations), report.options.ranking)

    async def _with_excerpts(self, report: SearchReport) -> SearchReport:
        """Return *report* with Korean gists of its foreign results, made without a model."""
        nearness = self._stages.relevance().nearness_to(self._question.text, report.scorer)
        shown, _ = await add_summaries(report.results, None, deadline_s=0, nearness=nearness, asked=self._question.text)
        hidden, _ = await add_summaries(report.hidden, None, deadline_s=0, asked=self._question.text)
        return replace(report, results=shown, hidden=hidden)

    def _finished(self, report: SearchReport) -> SearchReport:
        took_ms = (time.monotonic() - self._started) * 1000
        return replace(report, elapsed_ms=took_ms, compute_ms=self._own_ms, created_at=self._stages.now())

    async def _show(self, begun: SearchReport) -> None:
        """Publish the results found so far, added below those already visible."""
        replies, waiting = self._progress.replies, self._progress.waiting
        if waiting and any(reply.results for reply in replies):
            scored = await self._score_and_place(begun, replies)
            written = await self._with_excerpts(scored)
            self._shown = scored
            self._tell(report=replace(self._finished(written), waiting=waiting))

    async def _own_step(self, step: Callable[..., T], *args: object) -> T:
        """Run *step* on a worker thread and add its duration to our own time."""
        took_s = 0.0

        def run_timed() -> T:
            nonlocal took_s
            with computing():
                begun = time.perf_counter()
                try:
                    return step(*args)
                finally:
                    took_s = time.perf_counter() - begun

        try:
            return await asyncio.to_thread(run_timed)
        finally:
            self._own_ms += took_s * 1000

    def _tell(self, **changes: Any) -> None:
        self._progress = replace(self._progress, **changes, elapsed_s=time.monotonic() - self._started)
        self._watch(self._progress)

    async def _ask(self, begun: SearchReport, writing: asyncio.Task[QueryVariant | None] | None) -> tuple[ProviderReply, ...]:
        replies: list[ProviderReply] = []
        fresh = False
        asked = self._stages.request(begun)
        broader = begun.constructed.fallback_queries[: self._options.broader_queries]
        for query, fresh_only in rounds(begun):
            left_s = self._stages.deadline_s - (time.monotonic() - self._started)
            if replies and (left_s < MIN_FALLBACK_S or not is_worth_another_round(replies, fresh_only=fresh)):
                break
            request = replace(asked, query=query, fresh=fresh_only, broader=() if replies else broader)
            if query != asked.query:
                request, writing = replace(request, also=()), None
            replies.extend(await self._ask_once(request, left_s, begun, writing))
            fresh = fresh_only
            if self._finish.is_set():
                replies.extend(self._not_awaited(query, replies))
                break
        return tuple(replies)

    def _not_awaited(self, query: str, replies: Sequence[ProviderReply]) -> list[ProviderReply]:
        """Return replies for services that had not answered at a stop; raises CancelledError if nothing was found."""
        if not any(reply.results for reply in replies):
            raise asyncio.CancelledError
        # Services that were not awaited may have had results, so the web counts as neither away nor empty.
        self._web_wanted = self._web_wanted and any(reply.web and reply.results for reply in replies)
        return [
            ProviderReply(
                provider=name,
                status=SearchStatus.NOT_AWAITED,
                query=query,
                error_message="The search was stopped before it answered.",
                advice="검색을 멈춰서 기다리지 않았어요.",
                web=self._stages.manager.is_web(name),
            )
            for name in self._progress.waiting
        ]

    def _not_asked(self, replies: Sequence[ProviderReply]) -> tuple[str, ...]:
        """Return the chosen web services that are set up but have no reply in *replies*."""
        manager, chosen = self._stages.manager, self._options.providers
        replied = {reply.provider for reply in replies}
        names = (name for name in manager.get_available_providers() if chosen is None or name in chosen)
        return tuple(name for name in names if manager.is_web(name) and name not in replied)

    async def _ask_once(
        self, request: SearchRequest, left_s: float, begun: SearchReport, writing: asyncio.Task[QueryVariant | None] | None
    ) -> tuple[ProviderReply, ...]:
        options = self._options
        before = self._rounds_before = len(self._progress.replies)
        search = asyncio.create_task(
            self._stages.manager.search(
                request,
                options.providers,
                on_progress=self._hear,
                use_cache=options.use_cache,
                deadline_s=max(left_s, MIN_FALLBACK_S),
                first=options.first,
                later=writing,
            )
        )
        early = asyncio.create_task(self._show_as_they_come(begun, options.early_after_s))
        try:
            await wait_or_finish(search, self._finish)
        finally:
            early.cancel()
        return self._progress.replies[before:] if search.cancelled() else search.result()

    async def _show_as_they_come(self, begun: SearchReport, pause_s: float | None) -> None:
        """Publish until cancelled: own documents at once, web answers *pause_s* seconds later, together."""
        while pause_s is not None:
            await self._answered.wait()
            self._answered.clear()
            if any(reply.web and reply.results for reply in self._progress.replies):
                await asyncio.sleep(pause_s)
            await self._show(begun)

    def _hear(self, provider: str, reply: ProviderReply | None) -> None:
        """Record that *provider* was asked, or its *reply*, which replaces an earlier one of the round."""
        waiting = tuple(name for name in self._progress.waiting if name != provider)
        if reply is None:
            self._tell(waiting=(*waiting, provider))
        else:
            replies, before = self._progress.replies, self._rounds_before
            places = [place for place, each in enumerate(replies) if place >= before and each.provider == provider]
            place = places[0] if places else len(replies)
            self._tell(waiting=waiting, replies=(*replies[:place], reply, *replies[place + 1 :]))
            self._answered.set()

    async def _score_in_time(self, report: SearchReport, merged: Sequence[SearchResult]) -> SearchReport:
        """Score by the best embedder, or by words if that took too long; finished vectors are kept."""
        best = asyncio.ensure_future(self._own_step(score, report, merged, self._stages.relevance))
        patience_s = self._options.words_after_s
        if patience_s is None or self._stages.lexical_filter is None:
            return await best
        done, _ = await asyncio.wait((best,), timeout=patience_s)
        return best.result() if done else await self._own_step(score, report, merged, self._stages.lexical_filter)


def _variant_of(written: WrittenQuery) -> QueryVariant | None:
    return QueryVariant(text=written.text, origin=VariantOrigin.MODEL) if written.outcome is WritingOutcome.WRITTEN else None


def begin_report(question: Question, options: SearchOptions, intent: SearchIntent, constructed: ConstructedQuery) -> SearchReport:
    """Return the report of a search before anything is asked."""
    return SearchReport(
        question=question,
        options=options,
        intent=intent,
        constructed=constructed,
        replies=(),
        results=(),
        hidden=(),
        scorer="none",
        scale=SCORE_SCALE,
    )


def rounds(report: SearchReport) -> list[tuple[str, bool]]:
    """Return the queries to try until one finds something, each with whether to ask for pages of the last month only.

    A question for news first asks for the last month, as most news is that new.
    """
    options, constructed = report.options, report.constructed
    news = report.intent.intent_type is SearchType.NEWS and not options.any_age
    broader = constructed.fallback_queries[: options.broader_queries]
    return [*([(constructed.text, True)] if news else []), *((query, False) for query in (constructed.text, *broader))]


def is_worth_another_round(replies: Sequence[ProviderReply], *, fresh_only: bool) -> bool:
    """Return whether to try the next query: if a service answered without results, and no web service found any.

    The library's empty answer counts, too, unless the round was limited to the last month (*fresh_only*).
    """
    web = [reply for reply in replies if reply.web]
    if any(reply.results for reply in web):
        return False
    counted = web if fresh_only or any(reply.results for reply in replies) else replies
    return any(reply.status is SearchStatus.NO_RESULTS for reply in counted)


def construct(
    constructor: QueryConstructor, question: Question, options: SearchOptions, intent: SearchIntent
) -> ConstructedQuery:
    """Return the query for *question* as *options* ask for it; a self-contained one takes nothing from the video."""
    if options.verbatim:
        return constructor.verbatim(question.text)
    if options.as_asked:
        return constructor.as_asked(intent, question.video, question.memory)
    stated = bool(options.subject) and not intent.references and not intent.follow_up
    if options.as_stated:
        constructed = constructor.as_stated(intent, question.video)
    elif stated:
        constructed = constructor.without_context(intent)
    else:
        constructed = constructor.query_for(intent, question.video, question.memory)
    if question.video is None:
        refuse_unknown_company(constructed)
    if options.subject and not (options.as_stated and intent.references):
        constructed = constructor.with_subject(constructed, options.subject)
    if options.without_parts:
        also = tuple(variant for variant in constructed.also if not any(part in variant.text for part in options.without_parts))
        constructed = replace(constructor.without_parts(constructed, options.without_parts), also=also)
    return constructed


def score(report: SearchReport, found: Sequence[SearchResult], relevance: Callable[[], RelevanceFilter]) -> SearchReport:
    """Return *report* with *found* results scored for the understood question, and arranged.

    *relevance* returns the filter to score with; its failures are added to the degradations.
    """
    scored = relevance().score(found, **scored_for(report))
    degradations = (*report.degradations, *scored.degradations)
    filled = replace(report, results=scored.results, hidden=(), scorer=scored.scorer, degradations=degradations)
    return rearrange(filled, report.options.ranking)


def scored_for(report: SearchReport) -> dict[str, Any]:
    """Return the keyword arguments of ``RelevanceFilter.score`` for *report*."""
    question = understood(report)
    unsaid = [part for part in report.constructed.parts if part.origin not in _SAID]
    earlier = tuple(part.text for part in unsaid if part.origin is PartOrigin.MEMORY)
    return {
        "question": question,
        "video": report.question.video,
        "terms": report.intent.search_terms,
        # "철원두루미축제 축제 언제 열려?": by itself "축제 언제 열려?" is as near to any other festival
        "meant": " ".join([*(part.text for part in unsaid if part.text not in question), question]),
        "subject": earlier if earlier or not unsaid else _subject_of(report.question),
        "freshness_matters": report.intent.intent_type is SearchType.NEWS,
    }


def _subject_of(question: Question) -> tuple[str, ...]:
    return () if question.video is None else video_subject_at(question.video, question.moment_s)


def understood(report: SearchReport) -> str:
    """Return the question as understood: with the meanings of its pointing words, or unchanged."""
    constructed = report.constructed
    return (constructed.understood if report.intent.requires_context else "") or report.question.text


def rearrange(report: SearchReport, ranking: RankingOptions) -> SearchReport:
    """Return *report* with its results arranged by *ranking*; sends no request and embeds nothing."""
    shown, hidden = arrange((*report.results, *report.hidden), ranking)
    return replace(report, results=shown, hidden=hidden, options=replace(report.options, ranking=ranking))
