"""SQLite files as they come back from a failing disk."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

_PAGE = 4096


def spoil_table(path: Path, name: str) -> None:
    """Overwrite the first page of a table or an index of a SQLite file."""
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    content = bytearray(path.read_bytes())
    content[(page - 1) * _PAGE : page * _PAGE] = b"\xff" * _PAGE
    path.write_bytes(content)


def spoil_definition(path: Path, name: str) -> None:
    """Put a byte into the definition of a table that is no text, as errors then repeat it."""
    content = path.read_bytes()
    named = f"table{name}{name}".encode()
    assert named in content
    path.write_bytes(content.replace(named, f"table{name}".encode() + b"\xff" * len(name)))
