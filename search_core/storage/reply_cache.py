"""Answers of search services as compressed JSON, on disk between runs or in Redis for every process that shares it."""

from __future__ import annotations

import logging
import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from search_core.domain import SearchResult, SearchStatus, StoredReply
from search_core.errors import StorageError
from search_core.recent import Recent
from search_core.runtime import Clock, utc_now
from search_core.storage.cache_file import CacheFile
from search_core.storage.redis_connection import RedisConnection

logger = logging.getLogger(__name__)

STALE_FOR = timedelta(hours=24)
"""How long past its lifetime an answer is stored to stand in for a failed request (RFC 5861, stale-if-error)."""
FORMAT = 1
MAX_STORED_BYTES = 1 << 20
"""Fifty long results take about 20 kB compressed; anything near a megabyte was not put there by us."""
MAX_TEXT_BYTES = 8 << 20
_CLOCK_SLACK = timedelta(hours=25)
"""An answer stored this far in the future was written before the clock was set back; further ahead it is not believed."""
FILE_NAME = "cache.db"
MAX_BYTES = 256 << 20
"""Some ten thousand answers; those stored longest ago make room."""
_MAX_RECENT = 100
"""Answers held in memory besides."""
PREFIX = f"maekrak:reply:{FORMAT}:"


class RefusedRowError(ValueError):
    """Says that a row was not written by us, or is too large; it is not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hit:
    """What a provider gave for one hit; scores are never kept, they depend on the question and the video."""

    title: str
    url: str
    snippet: str
    source: str
    publish_date: AwareDatetime | None
    language: str
    providers: tuple[str, ...]
    ranks: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    format: int
    status: SearchStatus
    stored_at: AwareDatetime
    fresh_until: AwareDatetime
    results: tuple[_Hit, ...] = field(default=())


_rows = TypeAdapter(_Row)
_HIT_FIELDS = tuple(one.name for one in fields(_Hit))


def encode_reply(status: SearchStatus, results: tuple[SearchResult, ...], now: datetime, ttl_s: float) -> bytes:
    """Return an answer as a row, fresh for *ttl_s* seconds from *now*.

    Raises ValueError for text that is no Unicode, such as a lone surrogate, and for an answer too large to be stored.
    """
    hits = tuple(_Hit(**{name: getattr(result, name) for name in _HIT_FIELDS}) for result in results)
    row = _Row(format=FORMAT, status=status, stored_at=now, fresh_until=now + timedelta(seconds=ttl_s), results=hits)
    return compress(_rows.dump_json(row))


def decode_reply(packed: bytes, now: datetime) -> StoredReply | None:
    """Return the answer in a row, or None for one that is too old, from a far future or not of a kind that is ever kept.

    Raises ValueError for anything that ``encode_reply`` does not write.
    """
    text = expand(packed)
    try:
        row = _rows.validate_json(text)
    except ValidationError:
        raise RefusedRowError("the row is in a form that is never written") from None  # what it says would repeat the row
    if row.format != FORMAT or not row.status.answered:
        return None
    if row.stored_at > now + _CLOCK_SLACK or now - STALE_FOR >= row.fresh_until:
        return None
    if any(urlsplit(hit.url).scheme not in ("http", "https") for hit in row.results):
        return None
    results = tuple(SearchResult(**{name: getattr(hit, name) for name in _HIT_FIELDS}) for hit in row.results)
    return StoredReply(status=row.status, results=results, stored_at=row.stored_at, fresh=now < row.fresh_until)


def compress(text: bytes) -> bytes:
    """Return *text* compressed; raises RefusedRowError when it is too large to be stored."""
    packed = zlib.compress(text, 1) if len(text) <= MAX_TEXT_BYTES else b""
    if not packed or len(packed) > MAX_STORED_BYTES:
        raise RefusedRowError("the value is too large to be kept")
    return packed


def expand(packed: bytes) -> bytes:
    """Return what was compressed; raises RefusedRowError for what is damaged, cut or larger than ever written."""
    if len(packed) > MAX_STORED_BYTES:
        raise RefusedRowError("the row is larger than any that is written")
    inflater = zlib.decompressobj()
    try:
        text = inflater.decompress(packed, MAX_TEXT_BYTES)
    except zlib.error as error:
        raise RefusedRowError("the row is damaged") from error
    if not inflater.eof:
        raise RefusedRowError("the row is cut or expands beyond measure")
    return text


class ReplyRows(ABC):
    """Keeps answers as rows under opaque keys; whatever is wrong with the place they are stored in is a miss.

    Each kind of trouble is logged once.
    """

    def __init__(self, *, now: Clock) -> None:
        self._now = now
        self._reported: set[str] = set()

    def get(self, key: str) -> StoredReply | None:
        """Return the answer kept under *key*, fresh or not, or None."""
        packed = self._fetch(key)
        try:
            return decode_reply(packed, self._now()) if packed else None
        except ValueError as error:
            self._report(f"a row that was not written by this program: {error}")
            return None

    def put(self, key: str, status: SearchStatus, results: tuple[SearchResult, ...], ttl_s: float) -> None:
        """Keep an answer, fresh for *ttl_s* seconds from now; failures are never kept."""
        if not status.answered:
            return
        try:
            packed = encode_reply(status, results, self._now(), ttl_s)
        except ValueError as error:
            self._report(f"an answer that cannot be kept ({type(error).__name__})")
            return
        self._store(key, packed, ttl_s + STALE_FOR.total_seconds())

    @abstractmethod
    def _fetch(self, key: str) -> bytes | None:
        """Return the row under *key*, None where there is none or it cannot be read; never raises."""

    @abstractmethod
    def _store(self, key: str, packed: bytes, lasts_s: float) -> None:
        """Keep a row under *key* for *lasts_s* seconds, if that is possible; never raises."""

    def _report(self, trouble: str) -> None:
        if trouble not in self._reported:
            self._reported.add(trouble)
            logger.warning("The reply cache counts as empty: %s", trouble)


class DiskReplyCache(ReplyRows):
    """Keeps answers in *directory*, safe to use from many threads and processes.

    While another process holds the file, the answers used last come from memory.
    """

    def __init__(self, directory: Path | str, *, now: Clock = utc_now) -> None:
        """Take a folder; nothing is opened yet."""
        super().__init__(now=now)
        self._file = CacheFile(Path(directory) / FILE_NAME, MAX_BYTES)
        self._recent: Recent[str, bytes] = Recent(_MAX_RECENT)

    def close(self) -> None:
        """Close the file; it opens again when it is used."""
        self._file.close()

    def _fetch(self, key: str) -> bytes | None:
        found = self._file.read([key.encode()], MAX_STORED_BYTES)
        if found is None:
            return self._recent.get(key)
        packed = found.get(key.encode())
        if packed is not None:
            self._recent.put(key, packed)
        return packed

    def _store(self, key: str, packed: bytes, lasts_s: float) -> None:
        self._recent.put(key, packed)
        self._file.write({key.encode(): packed}, lasts_s)


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
