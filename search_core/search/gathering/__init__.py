"""Asking the providers, and one list of what each said: one page once, one story once, everybody who saw it named."""

from search_core.search.gathering.aggregate import ResultAggregator, add_behind
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.gathering.provider_client import MemoryReplyCache
