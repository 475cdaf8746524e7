"""What providers share: the contract, requests, tolerant reading of answers."""

from search_core.provider_kit.contract import (
    DocumentIndex,
    Freshness,
    ProviderInfo,
    ProviderTools,
    SafeSearch,
    SearchProvider,
    SearchRequest,
)

__all__ = ["DocumentIndex", "Freshness", "ProviderInfo", "ProviderTools", "SafeSearch", "SearchProvider", "SearchRequest"]
