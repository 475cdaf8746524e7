"""What one provider said to one query."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from search_core.domain.result import SearchResult
from search_core.domain.status import SearchStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderReply:
    """The typed outcome of one request to one provider."""

    provider: str
    status: SearchStatus
    query: str = ""
    results: tuple[SearchResult, ...] = ()
    error_message: str | None = None
    """One English sentence without secrets; None when the provider answered."""
    advice: str = ""
    """One Korean sentence of what happened and what to do, where the status alone does not say; mostly empty."""
    out_of_order: bool = False
    """True when the service was reached and said itself that it cannot answer now (HTTP 500 and above)."""
    retried: bool = False
    """True when the service did not answer in time and was asked once more."""
    cut: int = 0
    """Results of which a text was too long and was cut."""
    latency_ms: float = 0.0
    retry_after_s: float | None = None
    from_cache: bool = False
    stale: bool = False
    """True when a stored answer past its lifetime replaces a failed request."""
    stored_at: datetime | None = None
    """When the answer was stored, time zone aware; None for a fresh answer."""
    web: bool = True
    """False for the library: its replies say nothing about the web."""

    def is_success(self) -> bool:
        """Return whether there are results to use."""
        return self.status is SearchStatus.SUCCESS

    def is_degraded(self) -> bool:
        """Return whether this reply gave no results, for whatever reason, or only stale ones."""
        return self.status is not SearchStatus.SUCCESS or self.stale


def web_answered(replies: Iterable[ProviderReply]) -> bool:
    """Return whether at least one search service of the web answered, if only by a stored answer; the library does not count."""
    return any(reply.web and reply.status.answered for reply in replies)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReply:
    """An answer stored by an earlier request, fresh or past its lifetime."""

    status: SearchStatus
    """Only ``success`` and ``no_results`` are stored."""
    results: tuple[SearchResult, ...]
    stored_at: datetime
    """Time zone aware."""
    fresh: bool
    """False when the lifetime is over and the answer may only stand in for a failed request."""
