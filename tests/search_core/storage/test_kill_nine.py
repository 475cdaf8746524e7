"""Writers that are killed while they write: fifty rounds each, and nothing they were told is kept is lost."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from search_core.storage import DiskReplyCache, SqliteEventLog

ROOT = Path(__file__).parents[3]
ROUNDS = 50
WRITERS = 3
PATIENT_S = 60.0


def acknowledged(kind: str, path: Path) -> list[str]:
    """Return what the writers of all rounds were told is kept, until they were killed."""
    command = [sys.executable, "-m", "tests.search_core.storage.killed_writers", kind, str(path), str(ROUNDS), str(WRITERS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    names = json.loads(done.stdout)
    assert len(names) >= ROUNDS * 3
    assert len({name.split("-")[0] for name in names}) == ROUNDS
    return names


def assert_sound(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert not database.with_name(database.name + ".broken").exists()


def test_no_acknowledged_event_is_lost(tmp_path: Path):
    """After fifty rounds of kill -9 every acknowledged event is there, no batch by half, and the file is sound."""
    path = tmp_path / "events.sqlite"
    names = acknowledged("events", path)
    assert_sound(path)
    log = SqliteEventLog(path, patience_s=PATIENT_S)
    kept = Counter(event.query.split()[0] for event in log.recent(datetime.now(UTC) - timedelta(days=1), 1_000_000))
    log.close()
    assert set(names) - set(kept) == set()
    assert set(kept.values()) == {2}


def test_no_acknowledged_answer_is_lost(tmp_path: Path):
    """After fifty rounds of kill -9 every answer that was found after it was kept is found again, and the file is sound."""
    names = acknowledged("replies", tmp_path)
    assert_sound(tmp_path / "cache.db")
    cache = DiskReplyCache(tmp_path, patience_s=PATIENT_S)
    missing = [name for name in names if (kept := cache.get(name)) is None or kept.results[0].snippet != name]
    cache.close()
    assert missing == []
