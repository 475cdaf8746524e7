"""Many who open one new file at the same moment."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from search_core.storage.sqlite_file import write_ahead

AT_ONCE = 8


def test_all_who_open_a_new_file_at_once_get_it(tmp_path: Path):
    """Nobody is refused, whatever the moment at which the others turn the log on."""
    for number in range(30):
        path, start = tmp_path / f"{number}.sqlite", threading.Barrier(AT_ONCE)

        def open_one(path: Path = path, start: threading.Barrier = start) -> str:
            with closing(sqlite3.connect(path, timeout=0.2, isolation_level=None)) as connection:
                start.wait(60)
                write_ahead(connection)
                return str(connection.execute("PRAGMA journal_mode").fetchone()[0])

        with ThreadPoolExecutor(AT_ONCE) as threads:
            assert [one.result() for one in [threads.submit(open_one) for _ in range(AT_ONCE)]] == ["wal"] * AT_ONCE


def test_a_file_that_stays_locked_is_an_error(tmp_path: Path):
    """After its patience the refusal is raised."""
    path = tmp_path / "held.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as holder, closing(sqlite3.connect(path, timeout=0)) as other:
        holder.execute("CREATE TABLE t (x)")
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            write_ahead(other, 0.05)
