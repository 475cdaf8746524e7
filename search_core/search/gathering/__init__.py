"""Asking the providers, and one list of their results: each page and each story once, with all who found it."""

from search_core.search.gathering.aggregate import ResultAggregator, add_behind
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.gathering.provider_client import MemoryReplyCache
