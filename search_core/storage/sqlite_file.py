"""How SQLite files are opened, written and healed, and what their errors mean: one way for all that is stored in one."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from enum import Enum, auto
from pathlib import Path
from typing import TypeVar

from search_core.errors import StorageError

T = TypeVar("T")
logger = logging.getLogger(__name__)

PATIENCE_S = 10.0
_PAUSE_S = 0.02
_PRIMARY = 0xFF
"""Extended result codes carry the primary one in their lowest byte (sqlite.org/rescode.html)."""
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


class FileFault(Enum):
    """What keeps a file from being used."""

    LOCKED = auto()
    FULL = auto()
    BROKEN = auto()
    CLOSED = auto()
    """It cannot be opened, read or written, for want of rights or for a disk that fails."""


def fault_of(error: BaseException) -> FileFault:
    """Return what *error*, of SQLite or of the system, means."""
    if "locked" in str(error):
        return FileFault.LOCKED
    if "full" in str(error) or "No space" in str(error):
        return FileFault.FULL
    return FileFault.BROKEN if is_broken(error) else FileFault.CLOSED


def is_broken(error: BaseException) -> bool:
    """Return whether *error* means that the file itself is damaged or foreign, not that it is locked, full or read-only."""
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


def set_aside(database: Path, at: datetime) -> Path:
    """Rename *database* and the files SQLite keeps beside it to a name with the time, which is returned; nothing is overwritten.

    Raises OSError when that is not possible.
    """
    stamp = at.strftime("%Y%m%d-%H%M%S")
    names = (f"{database.name}.damaged-{stamp}{further}" for further in ("", *(f"-{number}" for number in range(2, 1000))))
    target = next(path for path in (database.with_name(name) for name in names) if not path.exists())
    for suffix in ("-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            database.with_name(database.name + suffix).rename(target.with_name(target.name + suffix))
    database.rename(target)
    return target


def connect(path: Path, lock_wait_s: float, *, unchanging: bool = False) -> sqlite3.Connection:
    """Return a connection that waits *lock_wait_s* seconds for others and leaves transactions to its user.

    *unchanging* takes the file as one that is never written.
    """
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?immutable=1" if unchanging else path,
        uri=unchanging,
        timeout=lock_wait_s,
        isolation_level=None,
        check_same_thread=False,
    )


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


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold the write lock; what is done meanwhile is stored whole or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def make_tables(
    connection: sqlite3.Connection,
    schema: Sequence[str],
    version: int,
    *,
    name: str,
    too_new: str,
    patience_s: float = PATIENCE_S,
) -> None:
    """Run *schema* in a new file, with the write-ahead log on.

    Raises StorageError, with the Korean sentence *too_new*, for a file of a later version.
    """
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > version:
        raise StorageError(f"{name} is of version {found}, this program reads {version}.", korean=too_new)
    if found == version:
        return
    write_ahead(connection, patience_s)
    with transaction(connection):
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0:  # another process may have been first
            for statement in schema:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={version}")


class SqliteFile:
    """A file with one connection, made when it is needed; a broken one is moved aside and a new one begun.

    For one thread at a time, and for what may be lost: the broken file stays as ``*.broken``.
    """

    def __init__(self, path: Path, lock_wait_s: float, set_up: Callable[[sqlite3.Connection], None]) -> None:
        """Take the file and what makes its tables; nothing is opened yet."""
        self._path = path
        self._lock_wait_s = lock_wait_s
        self._set_up = set_up
        self._connection: sqlite3.Connection | None = None
        self._opened_file: tuple[int, int] | None = None

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what *work* returns, tried once more when the file was broken.

        Raises sqlite3.Error, OSError, and what *work* and the setting up raise; the file is opened anew the next time.
        """
        try:
            try:
                return work(self._open())
            except sqlite3.Error as error:
                if not is_broken(error):
                    raise
                logger.warning("The file %s is broken, a new one is begun: %s", self._path.name, error)
                self.close()
                if self._opened_file == self._file():  # otherwise another process has moved it aside already
                    move_aside(self._path)
                return work(self._open())
        except (sqlite3.Error, OSError, StorageError):
            self.close()
            raise

    def close(self) -> None:
        """Close the connection; it opens again when it is used."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _open(self) -> sqlite3.Connection:
        """Return a connection to the file that is there now; one to a file moved or deleted since would keep nothing."""
        if self._connection is not None and self._opened_file == self._file():
            return self._connection
        self.close()
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._file() is None:
            self._path.touch(mode=0o600)
        self._opened_file = self._file()
        self._connection = connect(self._path, self._lock_wait_s)
        self._connection.execute("PRAGMA synchronous=NORMAL")
        self._set_up(self._connection)
        return self._connection

    def _file(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino
