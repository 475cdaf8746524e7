"""Options of searches as the settings ask for them."""

from __future__ import annotations

from search_core.domain import RankingOptions, SearchOptions
from search_core.settings import Settings


def default_options(settings: Settings) -> SearchOptions:
    """Return the options of a search as *settings* ask for them."""
    return SearchOptions(
        ranking=RankingOptions(threshold=settings.relevance_threshold, max_results=settings.web_search_max_results)
    )
