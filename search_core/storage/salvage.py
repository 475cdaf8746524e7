"""What can still be read of a damaged SQLite file: its rows one after the other, past what cannot be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

_MAGIC = b"SQLite format 3\x00"
_PAGE, _HEADER = 4096, 100
"""Sizes in bytes: of the pages of all files we make, and of what is before the first (sqlite.org/fileformat2.html)."""
_HIGHEST = (1 << 63) - 1
_FARTHEST = 1 << 40
"""Rows beyond this distance are not looked for: SQLite counts them from 1."""


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
