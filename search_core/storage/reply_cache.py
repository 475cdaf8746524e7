"""Answers of search services, stored on disk between runs.

The file has the table of diskcache 5.6, which kept the answers of earlier versions. Its rows are read as bytes alone: nothing is
unpickled, and no file that a row names is read or deleted (CVE-2025-69872).
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from search_core.recent import Recent
from search_core.runtime import Clock, utc_now
from search_core.storage.bounded_worker import BoundedWorker, WorkerBusyError
from search_core.storage.sqlite_file import FileFault, SqliteFile, fault_of, transaction, write_ahead
from search_core.storage.stored_row import MAX_STORED_BYTES, ReplyRows

T = TypeVar("T")

FILE_NAME = "cache.db"
MAX_BYTES = 256 << 20
"""Some ten thousand answers; those stored longest ago make room."""
_PATIENCE_S = 0.5
"""A disk that takes longer for one answer hangs; asking anew takes about as long, and may cost money."""
_IN_LINE_S = 1.0
"""Many searches at once on a busy machine wait for each other so long rather than ask a paid service again."""
_MAX_RECENT = 100
"""Answers held in memory besides."""
_LOCK_WAIT_S = 0.1
_REOPEN_AFTER_S = 5.0
"""A folder that cannot be used is tried again after this pause, not at each search."""
_SIZES = ("page_count", "freelist_count", "page_size")
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS Cache (
  rowid INTEGER PRIMARY KEY, key BLOB, raw INTEGER, store_time REAL, expire_time REAL, access_time REAL,
  access_count INTEGER DEFAULT 0, tag BLOB, size INTEGER DEFAULT 0, mode INTEGER DEFAULT 0, filename TEXT, value BLOB)""",
    "CREATE UNIQUE INDEX IF NOT EXISTS Cache_key_raw ON Cache (key, raw)",
    "CREATE INDEX IF NOT EXISTS Cache_expire_time ON Cache (expire_time)",
    "CREATE INDEX IF NOT EXISTS Cache_store_time ON Cache (store_time)",
)


class DiskReplyCache(ReplyRows):
    """Keeps answers in *directory*, safe to use from many threads and processes; each call is over within 0.6 s.

    A broken file is moved aside and a new one begun. While the disk is too busy to answer, the answers used last come from
    memory.
    """

    def __init__(self, directory: Path | str, *, now: Clock = utc_now, patience_s: float = _PATIENCE_S) -> None:
        """Take a folder, and how long one call may wait for the disk; nothing is opened yet."""
        super().__init__(now=now)
        self._worker = BoundedWorker("maekrak-replies", patience_s, _IN_LINE_S)
        self._file = SqliteFile(Path(directory) / FILE_NAME, _LOCK_WAIT_S, _set_up)
        self._recent: Recent[str, bytes] = Recent(_MAX_RECENT)
        self._retry_at = 0.0

    def close(self) -> None:
        """Close the file; it opens again when it is used."""
        try:
            self._worker.call(self._file.close)
        except WorkerBusyError as error:
            self._report(str(error))
        self._worker.close()

    def _fetch(self, key: str) -> bytes | None:
        packed = self._run_guarded(lambda connection: _read(connection, key), self._recent.get(key))
        if packed is not None:
            self._recent.put(key, packed)
        return packed

    def _store(self, key: str, packed: bytes, lasts_s: float) -> None:
        self._recent.put(key, packed)
        self._run_guarded(lambda connection: _write(connection, key, packed, lasts_s), None)

    def _run_guarded(self, work: Callable[[sqlite3.Connection], T | None], if_busy: T | None) -> T | None:
        try:
            return self._worker.call(lambda: self._attempt(work))
        except WorkerBusyError as error:
            self._report(str(error))
            return if_busy

    def _attempt(self, work: Callable[[sqlite3.Connection], T | None]) -> T | None:
        """Do *work* in the worker's thread."""
        if time.monotonic() < self._retry_at:
            return None
        try:
            return self._file.run(work)
        except (sqlite3.Error, OSError) as error:
            if fault_of(error) is FileFault.LOCKED:
                raise WorkerBusyError("the file is locked") from error
            self._report(f"{type(error).__name__}: {error}")
            self._retry_at = time.monotonic() + _REOPEN_AFTER_S
            return None


def _set_up(connection: sqlite3.Connection) -> None:
    write_ahead(connection, _LOCK_WAIT_S)
    for statement in _SCHEMA:
        connection.execute(statement)


def _read(connection: sqlite3.Connection, key: str) -> bytes | None:
    """Return the bytes under *key*; what a row says of pickles and files is passed over."""
    row = connection.execute(
        "SELECT value FROM Cache WHERE key = ? AND raw = 1 AND mode = 1 AND filename IS NULL AND typeof(value) = 'blob'"
        " AND length(value) <= ? AND (expire_time IS NULL OR expire_time > ?)",
        (key, MAX_STORED_BYTES, time.time()),
    ).fetchone()
    return None if row is None else bytes(row[0])


def _write(connection: sqlite3.Connection, key: str, packed: bytes, lasts_s: float) -> None:
    now = time.time()
    with transaction(connection):
        connection.execute(
            "INSERT OR REPLACE INTO Cache (key, raw, store_time, expire_time, access_time, mode, value)"
            " VALUES (?, 1, ?, ?, ?, 1, ?)",
            (key, now, now + lasts_s, now, packed),
        )
        connection.execute("DELETE FROM Cache WHERE expire_time <= ?", (now,))
        pages, free, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _SIZES)
        if (pages - free) * size > MAX_BYTES:
            oldest = "SELECT rowid FROM Cache ORDER BY store_time LIMIT 10"
            connection.execute(f"DELETE FROM Cache WHERE rowid IN ({oldest})")  # noqa: S608 - our own words
