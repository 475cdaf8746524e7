"""Search events, stored in a file of this machine or in Redis for several processes."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from pydantic import TypeAdapter, ValidationError

from search_core.domain.reply import SearchEvent
from search_core.errors import StorageError
from search_core.runtime import Clock, utc_now
from search_core.storage.json_codec import storable_text
from search_core.storage.sqlite_file import SqliteFile, fault_of, fault_sentences

if TYPE_CHECKING:
    from redis import Redis

    from search_core.storage.redis_connection import RedisConnection

T = TypeVar("T")

MAX_EVENT_BYTES = 64 << 10
"""Longest event that is read; ours take less than 4 kB, so a longer one was written by another program."""
_events = TypeAdapter(SearchEvent)
MAX_EVENTS = 100_000
"""Events stored, some 30 MB; the oldest are deleted first."""
KEPT_FOR = timedelta(days=8)
"""Events are kept for a week and the current day."""
_LOCK_WAIT_S = 0.6
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, event BLOB NOT NULL)",
    "CREATE INDEX IF NOT EXISTS events_by_time ON events (at)",
)
_KOREAN = fault_sentences("검색 기록 저장소(events.sqlite)", "그 파일을 다른 곳으로 옮기면 기록을 새로 시작해요.")
REDIS_KEY = "events:web_search"
REDIS_EVENTS = 1000


def pack(event: SearchEvent) -> bytes:
    """Return *event* as JSON with an ISO 8601 timestamp; invalid Unicode in its texts becomes U+FFFD."""
    cause = event.error_message
    return _events.dump_json(
        replace(
            event,
            query=storable_text(event.query),
            error_message=None if cause is None else storable_text(cause),
            timestamp=event.timestamp.astimezone(UTC),
        ),
        exclude=None if event.owner else {"owner"},
    )


def unpack(packed: object) -> SearchEvent | None:
    """Return the event in *packed*, or None if ``pack`` did not write it."""
    if not isinstance(packed, bytes | str) or len(packed) > MAX_EVENT_BYTES:
        return None
    try:
        event = _events.validate_json(packed)
    except ValidationError:
        return None
    believed = event.timestamp.tzinfo is not None and event.result_count >= 0 and math.isfinite(event.latency_ms)
    return event if believed else None


class SqliteEventLog:
    """Stores search events in one SQLite file; thread- and process-safe.

    An acknowledged event outlives the process, also when that is killed (WAL with synchronous=NORMAL; a power cut may take the
    last ones, sqlite.org/pragma.html#pragma_synchronous). Rows that are no events are skipped. The newest 100,000 events of the
    last 8 days are kept.
    """

    label: ClassVar[str] = "이 서버의 기록"

    def __init__(self, path: Path | str, *, now: Clock = utc_now, most: int = MAX_EVENTS) -> None:
        """Take a file and the maximum number of events; opens nothing."""
        self._path = Path(path)
        self._now = now
        self._most = most
        self._file = SqliteFile(self._path, _SCHEMA, lock_wait_s=_LOCK_WAIT_S)

    def append(self, events: Sequence[SearchEvent]) -> None:
        """Store *events*, all or none, durably; raises StorageError."""
        rows = [(_microseconds(event.timestamp), pack(event)) for event in events]
        if not rows:
            return
        oldest = _microseconds(self._now() - KEPT_FOR)
        self._run_guarded(lambda connection: _write(connection, rows, oldest, self._most))

    def recent(self, since: datetime, limit: int) -> list[SearchEvent]:
        """Return at most *limit* events not older than *since*, newest first. Raises StorageError."""
        rows = self._run_guarded(lambda connection: _read(connection, _microseconds(since), limit))
        return [event for row in rows if (event := unpack(row)) is not None and event.timestamp >= since]

    def close(self) -> None:
        """Close the file; it reopens on use."""
        self._file.close()

    def _run_guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return self._file.run(work)
        except (sqlite3.Error, OSError) as error:
            raise StorageError(
                f"The event log {self._path.name} cannot be used: {error}", korean=_KOREAN[fault_of(error)]
            ) from error


def _write(connection: sqlite3.Connection, rows: Sequence[tuple[int, bytes]], oldest: int, most: int) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO events (at, event) VALUES (?, ?)", rows)
        connection.execute("DELETE FROM events WHERE at < ?", (oldest,))
        connection.execute("DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ?", (most,))


def _read(connection: sqlite3.Connection, since: int, limit: int) -> list[object]:
    statement = "SELECT CAST(event AS BLOB) FROM events WHERE at >= ? AND length(event) <= ? ORDER BY at DESC, id DESC LIMIT ?"
    return [row for (row,) in connection.execute(statement, (since, MAX_EVENT_BYTES, max(limit, 0)))]


def _microseconds(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


class RedisEventLog:
    """Stores the newest 1,000 search events as JSON in the Redis list ``events:web_search``, newest first.

    Other entries of the list are skipped.
    """

    label: ClassVar[str] = "Redis"

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    def append(self, events: Sequence[SearchEvent]) -> None:
        """Store *events*, the last of them as the newest; raises StorageError."""
        packed = [pack(event) for event in events[-REDIS_EVENTS:]]
        if packed:
            self._connection.call(lambda redis: _push(redis, packed))

    def recent(self, since: datetime, limit: int) -> list[SearchEvent]:
        """Return at most *limit* events not older than *since*, newest first. Raises StorageError."""
        rows = self._connection.call(lambda redis: redis.lrange(REDIS_KEY, 0, REDIS_EVENTS - 1))
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
        pipeline.lpush(REDIS_KEY, *packed)
        pipeline.ltrim(REDIS_KEY, 0, REDIS_EVENTS - 1)
        pipeline.execute()
