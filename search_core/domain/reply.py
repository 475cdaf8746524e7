"""How a request to a search service can end, its reply to one query, and its event in the log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from search_core.domain.result import SearchResult

SEARCH, PROBE = "web_search", "probe"
"""Types of events: a search, and a probe, which asks every service once to see whether it answers."""


class SearchStatus(StrEnum):
    """Names the outcome of one request to one search service.

    ``no_results`` means the service answered readably and found none; every other value but ``success`` means that it
    could not be asked (keys, network, limits), that its answer could not be read (``invalid_response``), or that the search ended
    before it answered (``not_awaited``), which says nothing about the service.
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

    @property
    def lasting(self) -> bool:
        """Return whether the failure lasts until somebody acts, like a wrong key or a spent quota."""
        return self in (SearchStatus.INVALID_API_KEY, SearchStatus.QUOTA_EXHAUSTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderReply:
    """The typed outcome of one request to one provider."""

    provider: str
    status: SearchStatus
    because: SearchStatus | None = None
    """The failure that made the service cool down; None unless the status is ``cooling_down``."""
    query: str = ""
    also: tuple[str, ...] = ()
    """Other wordings sent in parallel and awaited; their hits are among the results."""
    results: tuple[SearchResult, ...] = ()
    error_message: str | None = None
    """One English sentence without secrets; None when the provider answered."""
    advice: str = ""
    """A Korean sentence on what happened and what to do, if the status alone does not say; usually empty."""
    out_of_order: bool = False
    """True when the service was reached and said itself that it cannot answer now (HTTP 500 and above)."""
    cut: int = 0
    """Number of results with a text that was cut because it was too long."""
    latency_ms: float = 0.0
    retry_after_s: float | None = None
    from_cache: bool = False
    stale: bool = False
    """True when a stored answer past its lifetime replaces a failed request."""
    stored_at: datetime | None = None
    """When the answer was stored, time zone aware; None for a fresh answer."""
    web: bool = True
    """False for the library: its replies say nothing about the web."""

    @property
    def count(self) -> int:
        """Return the number of results."""
        return len(self.results)

    @property
    def cause(self) -> SearchStatus:
        """Return the status to show; for a service that rests after a wrong key or a spent quota, that failure."""
        return self.because if self.because is not None and self.because.lasting else self.status

    def is_success(self) -> bool:
        """Return whether it has results."""
        return self.status is SearchStatus.SUCCESS

    def is_degraded(self) -> bool:
        """Return whether this reply has no results, for whatever reason, or only stale ones."""
        return self.status is not SearchStatus.SUCCESS or self.stale


def web_answered(replies: Iterable[ProviderReply]) -> bool:
    """Return whether at least one web service answered, perhaps from the cache; the library does not count."""
    return any(reply.web and reply.status.answered for reply in replies)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReply:
    """An answer stored by an earlier request."""

    status: SearchStatus
    """Only ``success`` and ``no_results`` are stored."""
    results: tuple[SearchResult, ...]
    stored_at: datetime
    """Time zone aware; decides whether the answer is still fresh, or may at least replace a failed request."""


NO_WORD = (SearchStatus.COOLING_DOWN, SearchStatus.API_KEY_MISSING, SearchStatus.NOT_AWAITED)
"""Statuses of a service that was not asked or not waited for; statistics leave them out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEvent:
    """The end of one request to one search service, for the log, without results and keys."""

    query: str
    status: SearchStatus
    result_count: int
    provider: str
    latency_ms: float
    timestamp: datetime
    error_message: str | None = None
    """One English sentence without secrets; None when the service answered."""
    from_cache: bool = False
    """True when a stored answer was used and no request was sent."""
    type: str = SEARCH
    owner: str = ""
    """Who asked, where there is a login; only they and the operators see the query."""

    @property
    def asked(self) -> bool:
        """Return whether a request went out and ended: neither answered from the cache nor with a status in ``NO_WORD``."""
        return not self.from_cache and self.status not in NO_WORD

    @property
    def probe(self) -> bool:
        """Return whether the request was a probe, which statistics leave out."""
        return self.type == PROBE
