"""What providers share: the contract, requests, tolerant reading of answers."""

from search_core.providers.kit.contract import (
    SAFE_SEARCH,
    ConfiguredProvider,
    DocumentIndex,
    SearchProvider,
    SearchRequest,
)

__all__ = ["SAFE_SEARCH", "ConfiguredProvider", "DocumentIndex", "SearchProvider", "SearchRequest"]
