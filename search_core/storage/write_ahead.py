"""SQLite's write-ahead log, in which one process writes while others read."""

from __future__ import annotations

import sqlite3
import time

PATIENCE_S = 10.0
_PAUSE_S = 0.02


def write_ahead(connection: sqlite3.Connection, patience_s: float = PATIENCE_S) -> None:
    """Turn the write-ahead log on, where it is not; processes that do so at one moment wait for each other.

    SQLite refuses the second of them at once, whatever its timeout (https://www.sqlite.org/wal.html, 2025-05). Raises
    sqlite3.OperationalError when the file stays locked for *patience_s* seconds.
    """
    ends = time.monotonic() + patience_s
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode=WAL").fetchone()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() >= ends:
                raise
            time.sleep(_PAUSE_S)
