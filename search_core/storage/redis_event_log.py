"""Search events, stored in Redis for every process that shares it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from search_core.domain import SearchEvent
from search_core.errors import StorageError
from search_core.storage.redis_connection import RedisConnection
from search_core.storage.stored_event import pack, unpack

if TYPE_CHECKING:
    from redis import Redis

KEY = "events:web_search"
MAX_EVENTS = 1000


class RedisEventLog:
    """Keeps the newest 1,000 search events as JSON in the Redis list ``events:web_search``, newest first.

    What else is in the list is passed over.
    """

    label: ClassVar[str] = "Redis"

    def __init__(self, connection: RedisConnection) -> None:
        """Take the way to Redis, which may be shared; no request is sent yet."""
        self._connection = connection

    def append(self, events: Sequence[SearchEvent]) -> None:
        """Keep *events*, the last of them as the newest. Raises StorageError."""
        packed = [pack(event) for event in events[-MAX_EVENTS:]]
        if packed:
            self._connection.call(lambda redis: _push(redis, packed))

    def recent(self, since: datetime, limit: int) -> list[SearchEvent]:
        """Return at most *limit* events not older than *since*, newest first. Raises StorageError."""
        rows = self._connection.call(lambda redis: redis.lrange(KEY, 0, MAX_EVENTS - 1))
        if not isinstance(rows, list):
            raise StorageError(
                "Redis answers in a form it does not have", korean="Redis의 답을 읽을 수 없어요. REDIS_URL을 확인해 주세요."
            )
        events = [event for row in rows if (event := unpack(row)) is not None and event.timestamp >= since]
        events.sort(key=lambda event: event.timestamp, reverse=True)
        return events[: max(limit, 0)]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _push(redis: Redis, packed: list[bytes]) -> None:
    with redis.pipeline(transaction=False) as pipeline:
        pipeline.lpush(KEY, *packed)
        pipeline.ltrim(KEY, 0, MAX_EVENTS - 1)
        pipeline.execute()
