"""Saves what can be read of a damaged database of conversations or library: a new file takes its place, the old one stays."""

from __future__ import annotations

import json
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
from search_core.storage.library_result import document_of
from search_core.storage.salvage import find_damage, mend_header, mend_letters, read_rows
from search_core.storage.sqlite_file import set_aside
from search_core.storage.sqlite_library import LibraryIndex

if TYPE_CHECKING:  # SQLAlchemy takes 0.2 s to import
    from sqlalchemy import Table

_BESIDE = ("", "-wal", "-journal")
_DOCUMENT = ("title", "text", "url", "source", "published", "language", "path")


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
