"""Answers of search services, kept in Redis for every process that shares it."""

from __future__ import annotations

import logging

from search_core.domain import KeptReply, SearchResult, SearchStatus
from search_core.errors import StorageError
from search_core.runtime import Clock, utc_now
from search_core.storage.kept_row import (
    FORMAT,
    MAX_STORED_BYTES,
    STALE_FOR,
    RefusedRowError,
    believed,
    compress,
    expand,
    written,
)
from search_core.storage.redis_connection import RedisConnection

logger = logging.getLogger(__name__)

PREFIX = f"maekrak:reply:{FORMAT}:"


class RedisReplyCache:
    """Keeps answers under opaque keys in the form of ``kept_row``; Redis forgets them when they are a day past their lifetime.

    Nothing that is wrong with Redis reaches the caller: silent, gone, full or with something else under the key it is a miss,
    and logged once for each kind of trouble.
    """

    def __init__(self, connection: RedisConnection, *, now: Clock = utc_now) -> None:
        """Take the way to Redis, which may be shared; nobody is asked yet."""
        self._connection = connection
        self._now = now
        self._reported: set[str] = set()

    def get(self, key: str) -> KeptReply | None:
        """Return the answer kept under *key*, fresh or not, or None; never more than a megabyte is fetched for it."""
        try:
            packed = self._connection.call(lambda redis: redis.getrange(PREFIX + key, 0, MAX_STORED_BYTES))
            if not isinstance(packed, bytes):
                raise RefusedRowError("Redis answers in a form it does not have")
            return believed(expand(packed), self._now()) if packed else None
        except StorageError as error:
            self._report(str(error))
        except ValueError as error:
            self._report(f"a row that was not written by this program: {error}")
        return None

    def put(self, key: str, status: SearchStatus, results: tuple[SearchResult, ...], ttl_s: float) -> None:
        """Keep an answer, fresh for *ttl_s* seconds from now; failures are never kept."""
        if not status.answered:
            return
        lasts_ms = int((ttl_s + STALE_FOR.total_seconds()) * 1000)
        try:
            packed = compress(written(status, results, self._now(), ttl_s))
            self._connection.call(lambda redis: redis.set(PREFIX + key, packed, px=lasts_ms))
        except StorageError as error:
            self._report(str(error))
        except ValueError as error:  # text that is no Unicode, or too much of it
            self._report(f"an answer that cannot be kept ({type(error).__name__})")

    def close(self) -> None:
        """Close the connection; it opens again when it is used."""
        self._connection.close()

    def _report(self, trouble: str) -> None:
        """Log the first trouble of a kind; the next ones would only repeat it."""
        if trouble not in self._reported:
            self._reported.add(trouble)
            logger.warning("The reply cache counts as empty: %s", trouble)
