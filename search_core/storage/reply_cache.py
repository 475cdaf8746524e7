"""Cached replies of search services, one JSON record each: in a table on disk, or in Redis for several processes."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from search_core.domain.reply import StoredReply
from search_core.domain.result import SearchResult
from search_core.errors import StorageError
from search_core.storage.cache_file import CacheFile

if TYPE_CHECKING:
    from search_core.storage.redis_connection import RedisConnection

logger = logging.getLogger(__name__)

MAX_STORED_BYTES = 1 << 20
"""Longest stored reply; fifty long results take about 200 kB, so a longer one was stored by another program."""
FILE_NAME = "cache.db"
MAX_BYTES = 256 << 20
"""Bytes on disk, some ten thousand answers; the oldest are deleted first."""
PREFIX = "maekrak:reply:2:"
_RECORD = TypeAdapter(StoredReply)


def encode_reply(reply: StoredReply) -> bytes:
    """Return an answer as a record; raises ValueError for invalid Unicode and for too large an answer."""
    record = _RECORD.dump_json(reply)
    if len(record) > MAX_STORED_BYTES:
        raise ValueError("the answer is too large to be stored")
    return record


def decode_reply(record: bytes) -> StoredReply:
    """Return the reply in a record; raises ValueError, which does not repeat it, for an invalid record."""
    try:
        reply = _RECORD.validate_json(record)
    except ValidationError:
        raise ValueError("the record is in a form that is never written") from None
    if not reply.status.answered or reply.stored_at.tzinfo is None or not all(map(_is_ours, reply.results)):
        raise ValueError("the record is of a kind that is never written")
    return reply


def _is_ours(result: SearchResult) -> bool:
    dated = result.publish_date is None or result.publish_date.tzinfo is not None
    return dated and result.url.startswith(("http://", "https://"))


class DiskReplyCache(CacheFile):
    """Caches replies in *directory* for many threads and processes; a broken disk is a miss."""

    def __init__(self, directory: Path | str) -> None:
        super().__init__(Path(directory) / FILE_NAME, MAX_BYTES)

    def get(self, key: str) -> StoredReply | None:
        """Return the answer stored under *key*, or None."""
        return _decode(self.read([key.encode()], MAX_STORED_BYTES).get(key.encode()))

    def put(self, key: str, reply: StoredReply, lasts_s: float) -> None:
        """Store an answer for at most *lasts_s* seconds; raises ValueError if it cannot be stored."""
        self.write({key.encode(): encode_reply(reply)}, lasts_s)


class RedisReplyCache:
    """Caches answers in Redis, which expires them."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._reported: set[str] = set()

    def get(self, key: str) -> StoredReply | None:
        """Return the answer stored under *key*, or None; fetches at most a megabyte."""
        try:
            record = self._connection.call(lambda redis: redis.getrange(PREFIX + key, 0, MAX_STORED_BYTES))
        except StorageError as error:
            self._report(error)
            return None
        return _decode(record if isinstance(record, bytes) else None)

    def put(self, key: str, reply: StoredReply, lasts_s: float) -> None:
        """Store an answer for at most *lasts_s* seconds; raises ValueError if it cannot be stored."""
        record = encode_reply(reply)
        try:
            self._connection.call(lambda redis: redis.set(PREFIX + key, record, px=int(lasts_s * 1000)))
        except StorageError as error:
            self._report(error)

    def close(self) -> None:
        """Close the connection; it reopens on use."""
        self._connection.close()

    def _report(self, trouble: StorageError) -> None:
        """Log each kind of failure once."""
        if str(trouble) not in self._reported:
            self._reported.add(str(trouble))
            logger.warning("The reply cache counts as empty: %s", trouble)


def _decode(record: bytes | None) -> StoredReply | None:
    try:
        return decode_reply(record) if record else None
    except ValueError as error:
        logger.warning("A stored answer counts as none: %s", error)
        return None
