"""What may be lost, kept as bytes under keys in one table of a SQLite file, bounded in size and in age."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from search_core.storage.bounded_worker import WorkerBusyError
from search_core.storage.sqlite_file import FileFault, SqliteFile, fault_of, write_ahead

T = TypeVar("T")
logger = logging.getLogger(__name__)

PATIENCE_S = 0.5
"""A disk that takes longer for one call hangs; asking anew takes about as long, and may cost money."""
_IN_LINE_S = 1.0
"""Many searches at once on a busy machine wait for each other so long rather than ask a paid service again."""
_LOCK_WAIT_S = 0.1
_REOPEN_AFTER_S = 5.0
"""A folder that cannot be used is tried again after this pause, not at each search."""
_BATCH = 500
"""Keys asked for in one statement; SQLite admits 32,766 variables, older builds 999."""
_LEAST_REMOVED = 10
_SIZES = ("page_count", "freelist_count", "page_size")
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS entries (
  place INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, expires REAL, value BLOB NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires)",
    "DROP TABLE IF EXISTS Cache",  # of versions up to 0.4.0: answers
    "DROP TABLE IF EXISTS vectors",  # of them, too
)


class CacheFile:
    """Keeps bytes under keys in a file, safe to use from many threads and processes; what is wrong with the file is a miss.

    Each kind of trouble is logged once. A broken file is moved aside and a new one begun.
    """

    def __init__(self, path: Path, max_bytes: int, patience_s: float = PATIENCE_S) -> None:
        """Take the file, how large it may grow, and how long one call may wait for the disk; nothing is opened yet."""
        self._max_bytes = max_bytes
        self._file = SqliteFile(path, _set_up, lock_wait_s=_LOCK_WAIT_S, patience_s=patience_s, in_line_s=_IN_LINE_S)
        self._retry_at = 0.0
        self._reported: set[str] = set()

    def get(self, keys: Sequence[bytes], max_value_bytes: int) -> dict[bytes, bytes] | None:
        """Return what is kept under *keys*, larger values left out; None where the disk is too busy to tell."""
        nothing: dict[bytes, bytes] = {}
        return self._try(lambda connection: _read(connection, keys, max_value_bytes), nothing)

    def put(self, values: Mapping[bytes, bytes], lasts_s: float | None = None) -> None:
        """Keep *values* under their keys, for *lasts_s* seconds at most; those kept longest make room."""
        self._try(lambda connection: _write(connection, values, lasts_s, self._max_bytes), None)

    def close(self) -> None:
        """Close the file; it opens again when it is used."""
        self._file.close()

    def _report(self, trouble: str) -> None:
        if trouble not in self._reported:
            self._reported.add(trouble)
            logger.warning("The cache counts as empty: %s", trouble)

    def _try(self, work: Callable[[sqlite3.Connection], T], unusable: T) -> T | None:
        """Return what *work* returns, *unusable* where the file cannot be used, and None where it is busy."""
        if time.monotonic() < self._retry_at:
            return unusable
        try:
            return self._file.run(work)
        except WorkerBusyError as error:
            self._report(str(error))
            return None
        except (sqlite3.Error, OSError) as error:
            if fault_of(error) is FileFault.LOCKED:
                self._report("the file is locked")
                return None
            self._report(f"{type(error).__name__}: {error}")
            self._retry_at = time.monotonic() + _REOPEN_AFTER_S
            return unusable


def _set_up(connection: sqlite3.Connection) -> None:
    write_ahead(connection, _LOCK_WAIT_S)
    for statement in _SCHEMA:
        connection.execute(statement)


def _read(connection: sqlite3.Connection, keys: Sequence[bytes], max_value_bytes: int) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for start in range(0, len(keys), _BATCH):
        part = keys[start : start + _BATCH]
        marks = ",".join("?" * len(part))
        rows = connection.execute(
            f"SELECT key, value FROM entries WHERE key IN ({marks}) AND typeof(value) = 'blob' AND length(value) <= ?"  # noqa: S608
            " AND (expires IS NULL OR expires > ?)",
            (*part, max_value_bytes, time.time()),
        )
        found.update((bytes(key), bytes(value)) for key, value in rows)
    return found


def _write(connection: sqlite3.Connection, values: Mapping[bytes, bytes], lasts_s: float | None, max_bytes: int) -> None:
    now = time.time()
    expires = None if lasts_s is None else now + lasts_s
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        insertion = "INSERT OR REPLACE INTO entries (key, expires, value) VALUES (?, ?, ?)"
        connection.executemany(insertion, [(key, expires, value) for key, value in values.items()])
        connection.execute("DELETE FROM entries WHERE expires <= ?", (now,))
        pages, free, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _SIZES)
        if (pages - free) * size > max_bytes:
            oldest = "SELECT place FROM entries ORDER BY place LIMIT ?"
            connection.execute(f"DELETE FROM entries WHERE place IN ({oldest})", (max(_LEAST_REMOVED, 2 * len(values)),))  # noqa: S608
