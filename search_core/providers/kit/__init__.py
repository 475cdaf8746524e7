"""What providers share: the contract, requests, tolerant reading of answers."""

from search_core.providers.kit.contract import (
    ConfiguredProvider,
    DocumentIndex,
    ProviderInfo,
    SafeSearch,
    SearchProvider,
    SearchRequest,
)

__all__ = ["ConfiguredProvider", "DocumentIndex", "ProviderInfo", "SafeSearch", "SearchProvider", "SearchRequest"]
