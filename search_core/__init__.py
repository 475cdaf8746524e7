"""The search core: a question about a video becomes ranked, attributed Korean results.

The public names are here and are loaded at their first use, for some of them bring the language tools along.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from search_core.core import SearchCore as SearchCore
    from search_core.domain.query import ConversationMemory as ConversationMemory
    from search_core.domain.query import SearchType as SearchType
    from search_core.domain.reply import SearchStatus as SearchStatus
    from search_core.domain.report import Question as Question
    from search_core.domain.report import SearchOptions as SearchOptions
    from search_core.domain.report import SearchReport as SearchReport
    from search_core.domain.result import RankingOptions as RankingOptions
    from search_core.domain.result import SearchResult as SearchResult
    from search_core.providers.kit.contract import SearchProvider as SearchProvider
    from search_core.search.gathering.manager import MultiProviderSearchManager as MultiProviderSearchManager
    from search_core.search.presenting.formatter import ResultFormatter as ResultFormatter
    from search_core.search.ranking.filter import RelevanceFilter as RelevanceFilter
    from search_core.search.understanding.constructor import QueryConstructor as QueryConstructor
    from search_core.search.understanding.question import QueryIntentAnalyzer as QueryIntentAnalyzer
    from search_core.settings import Settings as Settings
    from search_core.video import VideoContext as VideoContext

# Matrices here are small. On busy cores the threads among which OpenBLAS shares one wait for each other 40 times as long as one
# thread takes for all of it. NumPy reads this when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_ROOMS = {
    "core": "SearchCore",
    "domain.query": "ConversationMemory SearchType",
    "domain.reply": "SearchStatus",
    "domain.report": "Question SearchOptions SearchReport",
    "domain.result": "RankingOptions SearchResult",
    "search.gathering.manager": "MultiProviderSearchManager",
    "search.presenting.formatter": "ResultFormatter",
    "providers.kit.contract": "SearchProvider",
    "search.understanding.constructor": "QueryConstructor",
    "search.understanding.question": "QueryIntentAnalyzer",
    "search.ranking.filter": "RelevanceFilter",
    "settings": "Settings",
    "video": "VideoContext",
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = sorted(_ROOM_OF)


def __getattr__(name: str) -> object:
    if name in _ROOM_OF:
        return getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
