"""What providers share: the contract, requests, tolerant reading of answers."""

from search_core.provider_kit.contract import (
    ConfiguredProvider,
    DocumentIndex,
    Freshness,
    ProviderInfo,
    SafeSearch,
    SearchProvider,
    SearchRequest,
)

__all__ = ["ConfiguredProvider", "DocumentIndex", "Freshness", "ProviderInfo", "SafeSearch", "SearchProvider", "SearchRequest"]
