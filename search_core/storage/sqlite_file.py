"""How SQLite files are opened and written, copied and checked for damage, and what their errors mean."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 10.0
_PAUSE_S = 0.02
_PRIMARY = 0xFF
"""Mask of the lowest byte, in which an extended result code has the primary one (sqlite.org/rescode.html)."""
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
    """Names why a file cannot be used."""

    LOCKED = auto()
    FULL = auto()
    BROKEN = auto()
    FOREIGN = auto()
    """A table or column is missing: another version wrote it."""
    CLOSED = auto()
    """The file cannot be opened, read or written: rights are missing, or the disk fails."""


def fault_sentences(store: str, remedy: str) -> dict[FileFault, str]:
    """Return a Korean sentence for each fault of *store* ("대화 저장소"); *remedy* says what to do if it is damaged."""
    foreign = "에 있어야 할 항목이 없어요. 다른 버전의 앱이 만든 파일이니 그 버전으로 열거나, 앱을 끄고 다른 곳으로 옮겨 주세요."
    return {
        FileFault.LOCKED: f"다른 곳에서 {store}를 쓰고 있어요. 잠시 뒤에 다시 시도해 주세요.",
        FileFault.FULL: "디스크에 남은 공간이 없어요. 공간을 비우고 다시 시도해 주세요.",
        FileFault.BROKEN: f"{store}가 손상되었어요. {remedy}",
        FileFault.FOREIGN: f"{store}{foreign}",
        FileFault.CLOSED: f"{store}를 열지 못했어요. 데이터 폴더의 권한을 확인해 주세요.",
    }


def fault_of(error: BaseException) -> FileFault:
    """Return the kind of *error*, raised by SQLite or the system."""
    if "locked" in str(error):
        return FileFault.LOCKED
    if "full" in str(error) or "No space" in str(error):
        return FileFault.FULL
    if any(words in str(error) for words in ("no such column", "no such table", "has no column named")):
        return FileFault.FOREIGN
    return FileFault.BROKEN if _is_broken(error) else FileFault.CLOSED


def _is_broken(error: BaseException) -> bool:
    """Return whether *error* means a damaged or foreign file, not a locked, full or read-only one."""
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:  # raised by Python: text that is no UTF-8, unless we used the module wrongly
            return not isinstance(error, sqlite3.ProgrammingError | sqlite3.InterfaceError)
        return code & _PRIMARY not in _PASSING
    return not isinstance(error, OSError)


def write_ahead(connection: sqlite3.Connection, patience_s: float = PATIENCE_S) -> None:
    """Turn on the write-ahead log if it is off; processes that do so at the same time wait for each other.

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


class SqliteFile:
    """A file with one connection, opened on demand; thread-safe, one thread at a time."""

    def __init__(self, path: Path, schema: Sequence[str], *, lock_wait_s: float) -> None:
        """Take the file, the statements that create its tables, and the patience with other processes; opens nothing."""
        self._path = path
        self._schema = schema
        self._lock_wait_s = lock_wait_s
        self._turn = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._opened_file: tuple[int, int] | None = None

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of *work*.

        Raises sqlite3.Error and OSError; then the file is opened anew the next time.
        """
        with self._turn:
            try:
                return work(self._open())
            except (sqlite3.Error, OSError):
                self._drop_connection()
                raise

    def close(self) -> None:
        """Close the connection; it reopens on use."""
        with self._turn:
            self._drop_connection()

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _open(self) -> sqlite3.Connection:
        """Return a connection to the current file; one to a moved or deleted file would lose what is written."""
        if self._connection is not None and self._opened_file == self._file():
            return self._connection
        self._drop_connection()
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._file() is None:
            self._path.touch(mode=0o600)
        self._opened_file = self._file()
        self._connection = sqlite3.connect(self._path, timeout=self._lock_wait_s, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA synchronous=NORMAL")
        write_ahead(self._connection, self._lock_wait_s)
        for statement in self._schema:
            self._connection.execute(statement)
        return self._connection

    def _file(self) -> tuple[int, int] | None:
        try:
            state = self._path.stat()
        except FileNotFoundError:
            return None
        return state.st_dev, state.st_ino


_MAGIC = b"SQLite format 3\x00"
_PAGES = 1000
"""Pages copied in one step; others may write between two steps."""


def find_damage(path: Path) -> str:
    """Return the damage that SQLite finds in a file, in its words; empty without any."""
    try:
        with closing(sqlite3.connect(path, timeout=10)) as connection:
            damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except (sqlite3.Error, UnicodeDecodeError) as error:  # what it says of a damaged schema need not be Unicode
        return f"{type(error).__name__}: {error}" if isinstance(error, sqlite3.Error) else type(error).__name__
    return "" if damage == "ok" else str(damage)


def database_files(folder: Path) -> list[Path]:
    """Return the SQLite files in and below *folder*; those with a broken header are recognised by name."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and _is_database(path)]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """The outcome of copying one file."""

    name: str
    """Path within the data folder."""
    problem: str = ""
    """Why it could not be copied, as SQLite or the system says; empty if it was."""


def back_up(data: Path, target: Path) -> tuple[BackedUp, ...]:
    """Copy every SQLite file under *data* into the same folders of *target*; existing files are not overwritten.

    A copy has its name only when it is whole. Raises OSError when *target* cannot be made.
    """
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    inside = target.resolve()
    files = [path for path in database_files(data) if inside not in path.resolve().parents]
    return tuple(_copy(path, data, target) for path in files)


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            begins_like_one = file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        begins_like_one = False
    return begins_like_one or path.suffix in (".sqlite", ".db")


def _copy(path: Path, data: Path, target: Path) -> BackedUp:
    name = str(path.relative_to(data))
    copy = target / name
    if copy.exists():
        return BackedUp(name=name, problem="there is a file of that name already")
    part = copy.with_name(copy.name + ".part")
    try:
        copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
        with closing(sqlite3.connect(path, timeout=10)) as source, closing(sqlite3.connect(part)) as made:
            source.backup(made, pages=_PAGES)
        part.rename(copy)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        return BackedUp(name=name, problem=f"{type(error).__name__}: {error}")
    return BackedUp(name=name)
