"""Search events for the tests of event logs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from search_core.domain import SearchEvent, SearchStatus
from search_core.storage import RedisEventLog, SqliteEventLog

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
EVER = datetime(2000, 1, 1, tzinfo=UTC)
AGREED = {
    "type": "web_search",
    "query": "훈민정음",
    "status": "success",
    "result_count": 3,
    "error_message": None,
    "provider": "wikipedia",
    "latency_ms": 12.5,
    "timestamp": "2026-11-20T12:00:00Z",
    "from_cache": False,
}
"""``event()`` in the JSON that is agreed."""


def event(query: str = "훈민정음", *, minutes: float = 0, **fields: object) -> SearchEvent:
    values = {"status": SearchStatus.SUCCESS, "result_count": 3, "provider": "wikipedia", "latency_ms": 12.5}
    return SearchEvent(**({"query": query, "timestamp": NOON + timedelta(minutes=minutes)} | values | fields))


def queries(log: SqliteEventLog | RedisEventLog, since: datetime = EVER, limit: int = 2000) -> list[str]:
    return [one.query for one in log.recent(since, limit)]
