"""The search core: a question about a video becomes ranked, attributed Korean results.

The public names are here and are loaded at their first use, for some of them bring the language tools along.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from search_core.core import SearchCore
    from search_core.domain import (
        ConversationMemory,
        Question,
        RankingOptions,
        SearchOptions,
        SearchReport,
        SearchResult,
        SearchStatus,
        SearchType,
        VideoContext,
    )
    from search_core.gathering import MultiProviderSearchManager
    from search_core.intent import QueryIntentAnalyzer
    from search_core.presenting import ResultFormatter
    from search_core.provider_kit import SearchProvider
    from search_core.query import QueryConstructor
    from search_core.relevance import RelevanceFilter
    from search_core.settings import Settings

_ROOMS = {
    "SearchCore": "core",
    "ConversationMemory": "domain",
    "Question": "domain",
    "RankingOptions": "domain",
    "SearchOptions": "domain",
    "SearchReport": "domain",
    "SearchResult": "domain",
    "SearchStatus": "domain",
    "SearchType": "domain",
    "MultiProviderSearchManager": "gathering",
    "QueryIntentAnalyzer": "intent",
    "ResultFormatter": "presenting",
    "SearchProvider": "provider_kit",
    "QueryConstructor": "query",
    "RelevanceFilter": "relevance",
    "Settings": "settings",
    "VideoContext": "video",
}

__all__ = [
    "ConversationMemory",
    "MultiProviderSearchManager",
    "QueryConstructor",
    "QueryIntentAnalyzer",
    "Question",
    "RankingOptions",
    "RelevanceFilter",
    "ResultFormatter",
    "SearchCore",
    "SearchOptions",
    "SearchProvider",
    "SearchReport",
    "SearchResult",
    "SearchStatus",
    "SearchType",
    "Settings",
    "VideoContext",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
