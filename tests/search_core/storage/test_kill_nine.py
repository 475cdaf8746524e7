"""Writers that are killed while they write: no acknowledged write is lost, none is there by half, and the files are sound."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from search_core.storage import Database, SqliteEventLog
from search_core.storage.conversations import ConversationStore
from tests.search_core.storage.sample_records import VIDEO, answer, question

ROOT = Path(__file__).parents[3]
ROUNDS, WRITERS = 10, 4


def assert_sound(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_no_acknowledged_write_is_lost(tmp_path: Path):
    """Every acknowledged event and message is there whole after ten rounds of kills, and a conversation goes on."""
    with closing(Database(tmp_path / "maekrak.sqlite")) as database:
        entry = ConversationStore(database).create("me", VIDEO)
    arguments = (str(tmp_path), entry.id, str(ROUNDS), str(WRITERS))
    command = [sys.executable, "-m", "tests.search_core.storage.killed_writers", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    named = set(json.loads(done.stdout))
    assert {name.split("-")[1] for name in named} == {str(number) for number in range(ROUNDS)}
    for name in ("events.sqlite", "maekrak.sqlite"):
        assert_sound(tmp_path / name)
    with closing(SqliteEventLog(tmp_path / "events.sqlite")) as log:
        halves = Counter(event.query.split()[0] for event in log.recent(datetime.now(UTC) - timedelta(days=1), 1_000_000))
    assert set(halves.values()) == {2}
    with closing(Database(tmp_path / "maekrak.sqlite")) as database:
        store = ConversationStore(database)
        messages = store.load(entry.id, "me").messages
        assert all(message == answer(message.id) for message in messages)
        assert named - set(halves) - {message.id for message in messages} == set()
        store.put(entry.id, "me", question("after"))
        assert store.load(entry.id, "me").messages[-1] == question("after")
