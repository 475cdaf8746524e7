"""Events as tests want them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from search_core.domain.reply import SearchEvent, SearchStatus

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAY_AGO = NOW - timedelta(days=1)
S = SearchStatus


def event(status: SearchStatus = S.SUCCESS, provider: str = "tavily", minutes_ago: float = 10, **changes: Any) -> SearchEvent:
    fields: dict[str, Any] = {
        "query": "기준금리",
        "status": status,
        "result_count": 4 if status is S.SUCCESS else 0,
        "provider": provider,
        "latency_ms": 1200.0,
        "timestamp": NOW - timedelta(minutes=minutes_ago),
    }
    return SearchEvent(**{**fields, **changes})


def many(**counts: int) -> list[SearchEvent]:
    """Return so many events of each status, given by name."""
    return [event(S(name)) for name, count in counts.items() for _ in range(count)]
