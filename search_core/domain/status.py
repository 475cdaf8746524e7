"""How asking a search service can end."""

from __future__ import annotations

from enum import StrEnum


class SearchStatus(StrEnum):
    """Names the outcome of one request to one search service.

    ``no_results`` means the service answered readably and found none; every other value but ``success`` means that it
    could not be asked (keys, network, limits), that its answer could not be read (``invalid_response``), or that the search ended
    without waiting for it (``not_awaited``), which says nothing about the service.
    """

    SUCCESS = "success"
    NO_RESULTS = "no_results"
    API_KEY_MISSING = "api_key_missing"
    INVALID_API_KEY = "invalid_api_key"
    QUOTA_EXHAUSTED = "quota_exhausted"
    RATE_LIMITED = "rate_limited"
    BLOCKED = "blocked"
    NETWORK_ERROR = "network_error"
    TIMEOUT = "timeout"
    NOT_AWAITED = "not_awaited"
    INVALID_RESPONSE = "invalid_response"
    COOLING_DOWN = "cooling_down"
    UNKNOWN_ERROR = "unknown_error"

    @property
    def answered(self) -> bool:
        """Return whether the service was asked and its answer was read, with results or without."""
        return self in (SearchStatus.SUCCESS, SearchStatus.NO_RESULTS)
