"""What SQLite's errors mean for a file that can be made anew."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

_PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_PROTOCOL,  # lost a race for the locks of the write-ahead log
    }
)
_PRIMARY = 0xFF
"""Extended result codes carry the primary one in their lowest byte (sqlite.org/rescode.html)."""


def is_broken(error: BaseException) -> bool:
    """Tell whether *error* means that the file itself is damaged or foreign, not that it is locked, full or read-only."""
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:  # raised by Python: text that is no UTF-8, unless we used the module wrongly
            return not isinstance(error, sqlite3.ProgrammingError | sqlite3.InterfaceError)
        return code & _PRIMARY not in _PASSING
    return not isinstance(error, OSError)


def move_aside(database: Path) -> None:
    """Rename *database* and the files SQLite keeps beside it, so that a new one can be made; an earlier broken one is replaced.

    Raises OSError when that is not possible.
    """
    for suffix in ("-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            database.with_name(database.name + suffix).unlink()
    with suppress(FileNotFoundError):
        database.replace(database.with_name(database.name + ".broken"))
