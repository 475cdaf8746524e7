"""The search core: a question about a video becomes ranked, attributed Korean results.

The public names are here and are loaded at their first use, because some of them import the language tools.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

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


def __getattr__(name: str) -> Any:
    if name in _ROOM_OF:
        return getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
