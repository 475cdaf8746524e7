"""The parts of a search, and the steps that need nothing of its run: query, asking again, scores, what stopping leaves out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from search_core.domain import (
    ConstructedQuery,
    Degradation,
    DegradedPart,
    ProviderReply,
    Question,
    RankingOptions,
    SearchIntent,
    SearchOptions,
    SearchReport,
    SearchResult,
    SearchStatus,
    SearchType,
)
from search_core.gathering import MultiProviderSearchManager, ResultAggregator
from search_core.intent import QueryIntentAnalyzer
from search_core.presenting import Summarizer
from search_core.provider_kit import Freshness, SafeSearch, SearchRequest
from search_core.query import QueryConstructor, refuse_unknown_company
from search_core.relevance import EmbeddingPrefetch, RelevanceFilter, Scored, arrange

INTENT_DEGRADED = Degradation(
    part=DegradedPart.INTENT,
    cause="Intent analysis failed; plain keywords were used.",
    korean="질문을 분석하지 못해서 단어 그대로 검색했어요.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Says which part of the web is searched where a search does not say so itself."""

    news_freshness: Freshness | None = None
    """How old results for a news question may be."""
    safe_search: SafeSearch = "moderate"
    include_domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """Holds the parts a search is made of."""

    analyzer: QueryIntentAnalyzer
    constructor: QueryConstructor
    manager: MultiProviderSearchManager
    aggregator: ResultAggregator
    relevance: Callable[[], RelevanceFilter]
    """Gives the filter with the best embedder that is ready now; never waits for a model to load."""
    summarizer: Summarizer | None
    now: Callable[[], datetime]
    deadline_s: float
    results_per_provider: int
    summary_deadline_s: float
    scope: Scope = Scope()
    own_documents_to_model: bool = False
    """Whether documents of the library may go to the summarizer."""
    lexical_filter: Callable[[], RelevanceFilter] | None = None
    """Gives the filter that scores while the better one takes its time; None has every search wait for that."""
    ahead: EmbeddingPrefetch | None = None
    """Embeds results as they arrive; None leaves that to the scoring."""

    def request(
        self, question: Question, options: SearchOptions, intent: SearchIntent, constructed: ConstructedQuery
    ) -> SearchRequest:
        """Return what services are asked for *question*."""
        scope = self.scope
        return SearchRequest(
            query=constructed.text,
            translated=constructed.translated,
            broader=constructed.fallback_queries,
            limit=self.results_per_provider,
            language=intent.language_preference,
            news=intent.intent_type is SearchType.NEWS,
            include_domains=scope.include_domains if options.include_domains is None else options.include_domains,
            exclude_domains=scope.exclude_domains if options.exclude_domains is None else options.exclude_domains,
            safe_search=scope.safe_search,
            samples=question.video is None or question.video.sample,
        )


def rounds(
    intent: SearchIntent, constructed: ConstructedQuery, options: SearchOptions, news_freshness: Freshness | None
) -> list[tuple[str, Freshness | None]]:
    """Return what is asked, until something is found: fresh news, the query, broader ones as far as *options* allow."""
    freshness = news_freshness if intent.intent_type is SearchType.NEWS and not options.any_age else None
    fresh = [(constructed.text, freshness)] if freshness else []
    broader = constructed.fallback_queries[: options.broader_queries]
    return [*fresh, *((query, None) for query in (constructed.text, *broader))]


def is_worth_another_round(replies: Sequence[ProviderReply], *, fresh_only: bool) -> bool:
    """Return whether asking more broadly can help: a service of the web answered, and none found anything.

    The library alone is asked more broadly where it found nothing, but not for want of fresh news: it has no freshness.
    """
    web = [reply for reply in replies if reply.web]
    if any(reply.results for reply in web):
        return False
    counted = web if fresh_only or any(reply.results for reply in replies) else replies
    return any(reply.status is SearchStatus.NO_RESULTS for reply in counted)


def add_reply(replies: tuple[ProviderReply, ...], reply: ProviderReply) -> tuple[ProviderReply, ...]:
    """Return *replies* and *reply*, which takes the place of the first try where it is of a second one."""
    of_it = [place for place, each in enumerate(replies) if reply.retried and each.provider == reply.provider]
    return (*(each for place, each in enumerate(replies) if place not in of_it[-1:]), reply)


def not_asked(manager: MultiProviderSearchManager, options: SearchOptions, replies: Sequence[ProviderReply]) -> tuple[str, ...]:
    """Return the services of the web that are set up, chosen by *options*, and have no reply among *replies*; asks none."""
    names = [name for name in manager.get_available_providers() if options.providers is None or name in options.providers]
    replied = {reply.provider for reply in replies}
    return tuple(name for name in names if manager.is_web(name) and name not in replied)


def construct(
    constructor: QueryConstructor, question: Question, options: SearchOptions, intent: SearchIntent
) -> ConstructedQuery:
    """Return the query for *question* in the way that *options* ask for; one that stands alone gets nothing of its video."""
    if options.verbatim:
        return constructor.verbatim(question.text)
    if options.as_asked:
        return constructor.as_asked(intent, question.video, question.memory)
    if intent.requires_context:
        constructed = constructor.construct_query(intent, question.video, question.memory)
    else:
        constructed = constructor.without_context(intent)
    if question.video is None:
        refuse_unknown_company(constructed)
    if options.statement:
        constructed = constructor.with_statement(constructed, options.statement)
    if options.subject:
        constructed = constructor.with_subject(constructed, options.subject)
    if options.without_parts:
        constructed = constructor.without_parts(constructed, options.without_parts)
    return constructed


def score(
    relevance: Callable[[], RelevanceFilter],
    question: Question,
    merged: Sequence[SearchResult],
    intent: SearchIntent,
    constructed: ConstructedQuery,
) -> Scored:
    """Return *merged* scored for the question as it was understood, by the filter that *relevance* gives now."""
    return relevance().score(
        merged,
        understood(question, intent, constructed),
        question.video,
        terms=intent.search_terms,
        freshness_matters=intent.intent_type is SearchType.NEWS,
        timeless=intent.intent_type is SearchType.BACKGROUND,
    )


def understood(question: Question, intent: SearchIntent, constructed: ConstructedQuery) -> str:
    """Return *question* as it was understood: with what its pointing words mean, or as it was asked."""
    return constructed.text if intent.requires_context and not constructed.verbatim else question.text


def not_awaited(provider: str, query: str, *, web: bool) -> ProviderReply:
    """Return the reply for a provider that had not answered *query* when the search was stopped."""
    return ProviderReply(
        provider=provider,
        status=SearchStatus.NOT_AWAITED,
        query=query,
        error_message="The search was stopped before it answered.",
        advice="검색을 멈춰서 기다리지 않았어요.",
        web=web,
    )


def rearrange(report: SearchReport, ranking: RankingOptions) -> SearchReport:
    """Return *report* with its results placed anew by *ranking*; sends no request and embeds nothing."""
    shown, hidden = place((*report.results, *report.hidden), ranking)
    return replace(report, results=shown, hidden=hidden, options=replace(report.options, ranking=ranking))


def place(results: Sequence[SearchResult], ranking: RankingOptions) -> tuple[tuple[SearchResult, ...], tuple[SearchResult, ...]]:
    """Return which of *results* are shown and which hidden; documents of the library stand after the pages of the web.

    The score alone decides what is shown, so a document may keep a page out, but never stands among pages as one of them.
    """
    shown, hidden = arrange(results, ranking)
    return tuple(sorted(shown, key=_is_own)), tuple(sorted(hidden, key=_is_own))


def _is_own(result: SearchResult) -> bool:
    return result.own


async def show_after_answers(answered: asyncio.Event, pause_s: float | None, show: Callable[[], Awaitable[None]]) -> None:
    """Call *show* whenever something has been *answered*, after a pause in which further answers may come; until cancelled.

    Without a pause it never does.
    """
    while pause_s is not None:
        await answered.wait()
        await asyncio.sleep(pause_s)
        answered.clear()
        await show()
