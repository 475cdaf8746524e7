"""Asking the providers, and one list of what each said: one page once, one story once, everybody who saw it named."""

from search_core.gathering.aggregate import ResultAggregator
from search_core.gathering.canonical_url import canonical_url
from search_core.gathering.circuit_breaker import CircuitBreaker
from search_core.gathering.manager import MultiProviderSearchManager
from search_core.gathering.near_duplicates import near_duplicates, same_snippet
from search_core.gathering.provider_client import MemoryReplyCache, ReplyCache, cache_key
