"""Copies of the SQLite files in the data folder, and what can be saved of damaged ones.

A copy is as the file is at one moment, also while others write. Of a damaged database of conversations or library a new file
takes the place; its rows are read one after the other, past what cannot be read, and the old one stays.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from search_core.domain import USER_COLLECTION
from search_core.errors import StorageError
from search_core.storage.database import Database
from search_core.storage.library_documents import document_of
from search_core.storage.sqlite_file import set_aside
from search_core.storage.sqlite_library import LibraryIndex

if TYPE_CHECKING:  # SQLAlchemy takes 0.2 s to import
    from sqlalchemy import Table

_MAGIC = b"SQLite format 3\x00"
_PAGE, _HEADER = 4096, 100
"""Sizes in bytes: of the pages of all files we make, and of what is before the first (sqlite.org/fileformat2.html)."""
_HIGHEST = (1 << 63) - 1
_FARTHEST = 1 << 40
"""Rows beyond this distance are not looked for: SQLite counts them from 1."""
_BESIDE = ("", "-wal", "-journal")
_DOCUMENT = ("title", "text", "url", "source", "published", "language", "path")
_PAGES = 1000
"""Copied at once; others may write in between."""


def find_damage(path: Path) -> str:
    """Return what SQLite finds wrong with a file, in its own words; empty when nothing is, or when there is no file."""
    if not path.exists():
        return ""
    try:
        with closing(_open(path)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except (sqlite3.Error, ValueError) as error:  # what it says of a damaged schema need not be Unicode
        return f"{type(error).__name__}: {error}" if isinstance(error, sqlite3.Error) else type(error).__name__
    return "" if found == "ok" else str(found)


def mend_header(copy: Path) -> None:
    """Give a copy of a damaged file a header by which SQLite takes it, of the size that it has; one with a log stays as it is."""
    size = copy.stat().st_size
    if size < _PAGE or copy.with_name(copy.name + "-wal").exists():
        return
    with copy.open("r+b") as file:
        known = file.read(_HEADER)
        if known.startswith(_MAGIC) and int.from_bytes(known[16:18], "big") != _PAGE:
            return
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("CREATE TABLE any_table (any_column)")
            header = bytearray(connection.serialize()[:_HEADER])
        header[28:32] = (size // _PAGE).to_bytes(4, "big")
        file.seek(0)
        file.write(header)


def read_rows(path: Path, table: str, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield the rows of *table* that can be read, with those of *columns* that it has; none when the table is not found.

    Bytes of a text that are no letters stand in it as ``surrogateescape`` has them.
    """
    try:
        connection = _open(path)
    except sqlite3.Error:
        return
    with closing(connection):
        try:
            connection.execute("PRAGMA writable_schema=ON")  # passes over damaged definitions of other tables
            there = {row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')}
        except (sqlite3.Error, ValueError):
            return
        wanted = tuple(name for name in columns if name in there)
        if wanted:
            for values in _scan(connection, table, wanted):
                yield dict(zip(wanted, values, strict=True))


def mend_letters(value: Any) -> Any:
    """Return a value of ``read_rows`` with U+FFFD for what are no letters."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if isinstance(value, str) else value


def _scan(connection: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    names = ", ".join(f'"{name}"' for name in columns)
    statement = f'SELECT rowid, {names} FROM "{table}" NOT INDEXED WHERE rowid >= ? ORDER BY rowid'  # noqa: S608 - our own names
    begin: int | None = -_HIGHEST
    while begin is not None:
        last = begin - 1
        try:
            for rowid, *values in connection.execute(statement, (begin,)):
                if rowid <= last:
                    raise sqlite3.DatabaseError("the pages of the table lead back to themselves")
                last = rowid
                yield tuple(values)
            return
        except (sqlite3.Error, ValueError):
            begin = _next_readable(connection, table, max(last + 1, 0))


def _next_readable(connection: sqlite3.Connection, table: str, unreadable: int) -> int | None:
    """Return the first row after *unreadable* that can be found, or None when there are no more."""
    statement = f'SELECT rowid FROM "{table}" NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 1'  # noqa: S608 - our own name

    def find(begin: int) -> tuple[bool, int | None]:
        try:
            row = connection.execute(statement, (begin,)).fetchone()
        except (sqlite3.Error, ValueError):
            return False, None
        return True, None if row is None else int(row[0])

    low, step = unreadable, 1
    while not find(unreadable + step)[0]:
        low, step = unreadable + step, step * 2
        if step > _FARTHEST:
            return None
    high = unreadable + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if find(middle)[0] else (middle, high)
    return find(high)[1]


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=10, isolation_level=None)
    connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    return connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """What became of a damaged file."""

    damage: str
    kept_as: Path
    """Where the damaged file is now."""
    saved: int
    """Conversations and runs, or documents, that are in the new file."""
    lost: int
    """Rows that could be read but not stored, for want of what they belong to."""


def recover_conversations(path: Path, now: datetime) -> Recovery | None:
    """Put what can be read of the conversations and runs in *path* into a new file; None when nothing is wrong with the old one.

    No process may use the file meanwhile. Raises StorageError or OSError when the new file cannot be made; the old one stays.
    """
    from search_core.storage.tables import CLAIMS_RUNS, CONVERSATIONS, METADATA, RESEARCH_RUNS, SCHEMA

    if not path.exists():
        return None
    tables = [table for table in METADATA.sorted_tables if table is not SCHEMA]
    damage = find_damage(path)
    with _beside(path) as (copy, fresh):
        damage = damage or _describe_rows(_mend_row(table, row) != row for table in tables for row in _read_table(copy, table))
        if not damage:
            return None
        with closing(Database(fresh)) as database, database.reading():
            pass  # makes the tables
        saved = lost = 0
        with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute("BEGIN")
            for table in tables:
                for row in _read_table(copy, table):
                    inserted = _insert(connection, table.name, _mend_row(table, row))
                    saved += inserted and table in (CONVERSATIONS, RESEARCH_RUNS, CLAIMS_RUNS)
                    lost += not inserted
            connection.execute("COMMIT")
        return Recovery(damage=damage, kept_as=_replace(path, fresh, now), saved=saved, lost=lost)


def recover_library(path: Path, now: datetime) -> Recovery | None:
    """Put the documents that can be read of the library in *path* into a new file; None when nothing is wrong with the old one.

    Raises StorageError or OSError when the new file cannot be made; the old one stays.
    """
    if not path.exists():
        return None
    damage = find_damage(path)
    with _beside(path) as (copy, fresh):
        damage = damage or _describe_rows(
            any(mend_letters(value) != value for value in row.values()) for row in read_rows(copy, "documents", _DOCUMENT)
        )
        if not damage:
            return None
        saved = lost = 0
        with closing(LibraryIndex(fresh)) as library:
            for row in read_rows(copy, "documents", (*_DOCUMENT, "collection")):
                try:
                    document = document_of([mend_letters(row.get(name)) for name in _DOCUMENT])
                    library.index([document], collection=row.get("collection") or USER_COLLECTION)
                    saved += 1
                except (StorageError, ValueError, TypeError, AttributeError):  # a row that was not written like that
                    lost += 1
            library.count()
        if not fresh.exists():
            fresh.touch(mode=0o600)
        return Recovery(damage=damage, kept_as=_replace(path, fresh, now), saved=saved, lost=lost)


def _read_table(copy: Path, table: Table) -> Iterator[dict[str, Any]]:
    return read_rows(copy, table.name, tuple(column.name for column in table.columns))


def _describe_rows(damaged: Iterable[bool]) -> str:
    count = sum(damaged)
    return f"{count} rows hold values that cannot be read" if count else ""


def _mend_row(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the conversations' file with what cannot be read replaced, so that the rest of it can."""
    from sqlalchemy import JSON

    from search_core.storage.tables import UNREADABLE_MOMENT, Moment

    mended = {name: mend_letters(value) for name, value in row.items()}
    for name, value in mended.items():
        kind = table.columns[name].type
        if value is None:
            continue
        if isinstance(kind, JSON) and not _is_json(value):
            mended[name] = "{}"
        elif isinstance(kind, Moment) and not _is_moment(value):
            mended[name] = UNREADABLE_MOMENT.isoformat(" ", "microseconds")
    return mended


def _is_json(value: Any) -> bool:
    try:
        json.loads(value)
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _is_moment(value: Any) -> bool:
    try:
        datetime.fromisoformat(value)
    except (ValueError, TypeError):
        return False
    return True


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, object]) -> bool:
    """Insert a row; one whose video was lost keeps the rest. False when the row cannot be stored."""
    for values in (row, {**row, "video": None}) if "video" in row else (row,):
        names, marks = ", ".join(f'"{name}"' for name in values), ", ".join("?" * len(values))
        try:
            insert = f'INSERT INTO "{table}" ({names}) VALUES ({marks})'  # noqa: S608 - our own names
            connection.execute(insert, tuple(values.values()))
        except sqlite3.Error:
            continue
        return True
    return False


@contextmanager
def _beside(path: Path) -> Iterator[tuple[Path, Path]]:
    """Lend a copy of a file to read, so that the file itself stays as it is, and a place for a new one."""
    folder = Path(tempfile.mkdtemp(prefix=".recover-", dir=path.parent))
    try:
        copy = folder / "damaged"
        if path.is_file():
            for suffix in _BESIDE:
                part = path.with_name(path.name + suffix)
                if part.exists():
                    shutil.copyfile(part, copy.with_name(copy.name + suffix))
            mend_header(copy)
        yield copy, folder / path.name
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _replace(path: Path, fresh: Path, now: datetime) -> Path:
    """Put *fresh* in the place of *path*, and return where that is stored now."""
    with closing(sqlite3.connect(fresh)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept_as = set_aside(path, now)
    fresh.replace(path)
    return kept_as


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """What became of one file."""

    name: str
    """Path within the data folder."""
    problem: str = ""
    """What SQLite or the system says where it could not be copied."""


def back_up(data: Path, target: Path) -> tuple[BackedUp, ...]:
    """Copy every SQLite file under *data* into *target*, in the same folders; a file that is there is not overwritten.

    A copy has its name only when it is whole. Raises OSError when *target* cannot be made.
    """
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    inside = target.resolve()
    files = [path for path in sorted(data.rglob("*")) if path.is_file() and inside not in path.resolve().parents]
    return tuple(_copy(path, data, target) for path in files if _is_database(path))


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return path.suffix in (".sqlite", ".db")


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
