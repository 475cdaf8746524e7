"""Copies of the SQLite files in the data folder, and what can be saved of damaged ones.

A copy is as the file is at one moment, also while others write. Of a damaged database of conversations or library a new file
takes the place; its rows are read one after the other, past what cannot be read, and the old one stays.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from search_core.domain import USER_COLLECTION
from search_core.errors import StorageError
from search_core.storage.database import Database
from search_core.storage.library_documents import document_of
from search_core.storage.sqlite_file import damaged_name, set_aside
from search_core.storage.sqlite_library import LibraryIndex

_MAGIC = b"SQLite format 3\x00"
_LOWEST = -(1 << 63)
_MOST_SKIPPED = 10_000
"""Numbers of rows that are tried one after the other where a page cannot be read."""
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


def read_rows(path: Path, table: str, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield the rows of *table* that can be read, with those of *columns* that it has; none when the table is not found."""
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


def _scan(connection: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    names = ", ".join(f'"{name}"' for name in columns)
    statement = f'SELECT rowid, {names} FROM "{table}" NOT INDEXED WHERE rowid >= ? ORDER BY rowid'  # noqa: S608 - our own names
    begin, skipped = _LOWEST, 0
    while skipped < _MOST_SKIPPED:
        try:
            for rowid, *values in connection.execute(statement, (begin,)):
                if rowid < begin:
                    raise sqlite3.DatabaseError("the pages of the table lead back to themselves")
                begin, skipped = rowid + 1, 0
                yield tuple(values)
            return
        except (sqlite3.Error, ValueError):
            begin, skipped = max(begin, 0) + 1, skipped + 1


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=10, isolation_level=None)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """What became of a damaged file."""

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

    tables = [table for table in METADATA.sorted_tables if table is not SCHEMA]
    if not find_damage(path):
        return None
    with _beside(path) as (copy, fresh):
        with closing(Database(fresh)) as database, database.reading():
            pass  # makes the tables
        saved = lost = 0
        with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute("BEGIN")
            for table in tables:
                for row in read_rows(copy, table.name, tuple(column.name for column in table.columns)):
                    inserted = _insert(connection, table.name, row)
                    saved += inserted and table in (CONVERSATIONS, RESEARCH_RUNS, CLAIMS_RUNS)
                    lost += not inserted
            connection.execute("COMMIT")
        return Recovery(kept_as=_replace(path, fresh, now), saved=saved, lost=lost)


def recover_library(path: Path, now: datetime) -> Recovery | None:
    """Put the documents that can be read of the library in *path* into a new file; None when nothing is wrong with the old one.

    Raises StorageError or OSError when the new file cannot be made; the old one stays.
    """
    if not find_damage(path):
        return None
    with _beside(path) as (copy, fresh):
        saved = lost = 0
        with closing(LibraryIndex(fresh)) as library:
            for row in read_rows(copy, "documents", (*_DOCUMENT, "collection")):
                try:
                    document = document_of([row.get(name) for name in _DOCUMENT])
                    library.index([document], collection=row.get("collection") or USER_COLLECTION)
                    saved += 1
                except (StorageError, ValueError, TypeError, AttributeError):  # a row that was not written like that
                    lost += 1
            library.count()
        if not fresh.exists():
            fresh.touch(mode=0o600)
        return Recovery(kept_as=_replace(path, fresh, now), saved=saved, lost=lost)


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
        yield copy, folder / path.name
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _replace(path: Path, fresh: Path, now: datetime) -> Path:
    """Put *fresh* in the place of *path*, and return where that is stored now."""
    with closing(sqlite3.connect(fresh)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept_as = set_aside(path, damaged_name(path, now))
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
