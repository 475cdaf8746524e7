"""Answers of search services, stored in Redis for every process that shares it."""

from __future__ import annotations

from search_core.errors import StorageError
from search_core.runtime import Clock, utc_now
from search_core.storage.redis_connection import RedisConnection
from search_core.storage.stored_row import FORMAT, MAX_STORED_BYTES, ReplyRows

PREFIX = f"maekrak:reply:{FORMAT}:"


class RedisReplyCache(ReplyRows):
    """Keeps answers in Redis, which forgets them when they are a day past their lifetime."""

    def __init__(self, connection: RedisConnection, *, now: Clock = utc_now) -> None:
        """Take the way to Redis, which may be shared; no request is sent yet."""
        super().__init__(now=now)
        self._connection = connection

    def close(self) -> None:
        """Close the connection; it opens again when it is used."""
        self._connection.close()

    def _fetch(self, key: str) -> bytes | None:
        """Return the row under *key*; never more than a megabyte is fetched for it."""
        try:
            packed = self._connection.call(lambda redis: redis.getrange(PREFIX + key, 0, MAX_STORED_BYTES))
        except StorageError as error:
            self._report(str(error))
            return None
        return packed if isinstance(packed, bytes) else None

    def _store(self, key: str, packed: bytes, lasts_s: float) -> None:
        try:
            self._connection.call(lambda redis: redis.set(PREFIX + key, packed, px=int(lasts_s * 1000)))
        except StorageError as error:
            self._report(str(error))
