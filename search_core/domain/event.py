"""One request to one search service, as the event log keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from search_core.domain.status import SearchStatus

SEARCH, PROBE = "web_search", "probe"
"""Types of events: of a search, and of asking every service once to see whether it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEvent:
    """Says how one request to one search service ended; the log keeps these, never results and never keys."""

    query: str
    status: SearchStatus
    result_count: int
    provider: str
    latency_ms: float
    timestamp: datetime
    """Time zone aware."""
    error_message: str | None = None
    """One English sentence without secrets; None when the service answered."""
    from_cache: bool = False
    """True when a kept answer was used and nobody was asked."""
    type: str = SEARCH

    @property
    def asked(self) -> bool:
        """Tell whether a request went out: not for a kept answer, a service left alone or one that is not set up."""
        return not self.from_cache and self.status not in (SearchStatus.COOLING_DOWN, SearchStatus.API_KEY_MISSING)

    @property
    def probe(self) -> bool:
        """Tell whether the request was a check of the service, which counts in no statistics."""
        return self.type == PROBE
