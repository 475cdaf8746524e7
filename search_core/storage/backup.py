"""Copies of the SQLite files in the data folder, and what SQLite finds wrong with them.

A copy is as the file is at one moment, also while others write.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"SQLite format 3\x00"
_PAGES = 1000
"""Copied at once; others may write in between."""


def find_damage(path: Path) -> str:
    """Return what SQLite finds wrong with a file, in its own words; empty when nothing is."""
    try:
        with closing(sqlite3.connect(path, timeout=10)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except (sqlite3.Error, UnicodeDecodeError) as error:  # what it says of a damaged schema need not be Unicode
        return f"{type(error).__name__}: {error}" if isinstance(error, sqlite3.Error) else type(error).__name__
    return "" if found == "ok" else str(found)


def database_files(folder: Path) -> list[Path]:
    """Return the SQLite files in *folder* and below it, those that have lost their header by their names."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and _is_database(path)]


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
