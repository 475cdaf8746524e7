"""Hits of many services made one list: one page once, one story once, everybody who saw it named."""

from search_core.merging.aggregate import ResultAggregator
from search_core.merging.canonical_url import canonical_url
from search_core.merging.near_duplicates import near_duplicates, same_snippet

__all__ = ["ResultAggregator", "canonical_url", "near_duplicates", "same_snippet"]
