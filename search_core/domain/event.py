"""One request to one search service, as the event log keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from search_core.domain.status import SearchStatus

SEARCH, PROBE = "web_search", "probe"
"""Types of events: of a search, and of asking every service once to see whether it answers."""
NO_WORD = (SearchStatus.COOLING_DOWN, SearchStatus.API_KEY_MISSING, SearchStatus.NOT_AWAITED)
"""Statuses of a service that was left alone or not waited for, which count in no statistics."""


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
    """True when a stored answer was used and no request was sent."""
    type: str = SEARCH
    owner: str = ""
    """Who asked, where there is a login; only they and the operators see the query."""

    @property
    def asked(self) -> bool:
        """Return whether a request went out whose end says something of the service: no stored answer and none of ``NO_WORD``."""
        return not self.from_cache and self.status not in NO_WORD

    @property
    def probe(self) -> bool:
        """Return whether the request was a check of the service, which counts in no statistics."""
        return self.type == PROBE
