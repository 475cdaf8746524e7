"""Files as they come back from a failing disk: overwritten, with flipped bits, or a folder in their place."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

_PAGE = 4096


def flip(path: Path, count: int, *, seed: int, beyond_header: bool = True) -> None:
    """Flip one bit in each of *count* bytes of a file, past its first page unless *beyond_header* is False."""
    chosen = random.Random(seed)
    content = bytearray(path.read_bytes())
    first = _PAGE if beyond_header else 0
    for place in chosen.sample(range(first, len(content)), min(count, len(content) - first)):
        content[place] ^= 1 << chosen.randrange(8)
    path.write_bytes(content)


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


def fill_with_garbage(path: Path) -> None:
    """Replace a file by bytes that mean nothing, as long as it was."""
    path.write_bytes(random.Random(7).randbytes(path.stat().st_size))


def put_folder_there(path: Path) -> None:
    """Put a folder where the file was."""
    path.unlink()
    path.mkdir()
