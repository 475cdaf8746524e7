"""Asking the providers and bringing back what each of them said."""

from search_core.gathering.cache import MemoryReplyCache, ReplyCache, cache_key
from search_core.gathering.circuit_breaker import CircuitBreaker
from search_core.gathering.manager import GatheringProgress, MultiProviderSearchManager

__all__ = ["CircuitBreaker", "GatheringProgress", "MemoryReplyCache", "MultiProviderSearchManager", "ReplyCache", "cache_key"]
