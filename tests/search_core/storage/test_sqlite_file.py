"""What every store in a SQLite file relies on: opening at one moment."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from search_core.storage.sqlite_file import write_ahead

AT_ONCE = 8


def test_a_new_file_opened_by_many_at_once_is_open_to_all(tmp_path: Path):
    """None is refused, whatever the moment at which the others turn the log on."""

    def open_one(path: Path, start: threading.Barrier) -> str:
        with closing(sqlite3.connect(path, timeout=0.2, isolation_level=None)) as connection:
            start.wait(60)
            write_ahead(connection)
            return str(connection.execute("PRAGMA journal_mode").fetchone()[0])

    with ThreadPoolExecutor(AT_ONCE) as threads:
        for number in range(15):
            path, start = tmp_path / f"{number}.sqlite", threading.Barrier(AT_ONCE)
            assert list(threads.map(open_one, [path] * AT_ONCE, [start] * AT_ONCE)) == ["wal"] * AT_ONCE


def test_a_file_that_stays_locked_is_an_error(tmp_path: Path):
    """After its patience the refusal is raised."""
    path = tmp_path / "held.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as holder, closing(sqlite3.connect(path, timeout=0)) as other:
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            write_ahead(other, 0.05)
