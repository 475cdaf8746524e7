"""The parts a search is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from search_core.domain import ConstructedQuery, Question, SearchIntent, SearchOptions, SearchType
from search_core.gathering import MultiProviderSearchManager
from search_core.intent import QueryIntentAnalyzer
from search_core.merging import ResultAggregator
from search_core.presenting import Summarizer
from search_core.provider_kit import Freshness, SafeSearch, SearchRequest
from search_core.query import QueryConstructor
from search_core.relevance import EmbeddingPrefetch, RelevanceFilter


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
