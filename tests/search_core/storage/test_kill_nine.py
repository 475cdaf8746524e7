"""Writers that are killed while they write: no acknowledged write is lost, none is there by half, and the file is sound."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from search_core.storage import Database, DiskReplyCache, SqliteEventLog
from search_core.storage.conversations import ConversationStore
from tests.loopback.postgresql import PostgreSQLServer
from tests.search_core.storage.killed_writers import BATCH, PATIENT_S
from tests.search_core.storage.sample_records import VIDEO, answer, question

ROOT = Path(__file__).parents[3]
ROUNDS = 10
WRITERS = 3


def acknowledged(where: str | Path, *kinds: str) -> dict[str, list[str]]:
    """Return what was acknowledged to the writers of all rounds before they were killed, for each kind."""
    command = [sys.executable, "-m", "tests.search_core.storage.killed_writers", ",".join(kinds), str(ROUNDS), str(WRITERS)]
    done = subprocess.run(command, input=f"{where}\n", capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    named = json.loads(done.stdout)
    for kind, names in named.items():
        rounds = 1 if kind == "library" else ROUNDS
        assert len(names) >= rounds * 3
        assert len({name.split("-")[0] for name in names}) == rounds
    return named


def assert_sound(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert not database.with_name(database.name + ".broken").exists()


def test_no_acknowledged_write_to_a_file_is_lost(tmp_path: Path):
    """Every acknowledged event, answer and batch of documents is there whole, and all files are sound."""
    named = acknowledged(tmp_path, "events", "replies", "library")
    for name in ("events.sqlite", "cache.db", "library.sqlite"):
        assert_sound(tmp_path / name)
    log = SqliteEventLog(tmp_path / "events.sqlite", patience_s=PATIENT_S)
    events = Counter(event.query.split()[0] for event in log.recent(datetime.now(UTC) - timedelta(days=1), 1_000_000))
    log.close()
    assert set(named["events"]) - set(events) == set()
    assert set(events.values()) == {2}
    cache = DiskReplyCache(tmp_path, patience_s=PATIENT_S)
    replies = {name: cache.get(name) for name in named["replies"]}
    cache.close()
    assert [name for name, reply in replies.items() if reply is None or reply.results[0].snippet != name] == []
    with sqlite3.connect(tmp_path / "library.sqlite") as connection:
        titles = Counter(title for (title,) in connection.execute("SELECT title FROM documents"))
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        counts = {connection.execute(f"SELECT count(*) FROM {name}").fetchone() for name in ("documents", "sections", "words")}
    connection.close()
    assert set(named["library"]) - set(titles) == set()
    assert set(titles.values()) == {BATCH}
    assert counts == {(titles.total(),)}


def test_no_acknowledged_message_is_lost(database: Database, address: Path | str):
    """Every message whose put returned is there whole, in a file and in PostgreSQL, and the conversation goes on."""
    store = ConversationStore(database)
    entry = store.create("me", VIDEO)
    names = acknowledged(f"{address} {entry.id}", "messages")["messages"]
    messages = store.load(entry.id, "me").messages
    assert set(names) - {message.id for message in messages} == set()
    assert all(message == answer(message.id) for message in messages)
    store.put(entry.id, "me", question("after"))
    assert store.load(entry.id, "me").messages[-1] == question("after")


def test_no_message_is_lost_with_its_server():
    """A PostgreSQL that is killed and started again has every message whose put had returned."""
    with PostgreSQLServer() as server:
        database = Database(server.new_database(), monotonic=lambda: 100.0)
        store = ConversationStore(database)
        entry = store.create("me", VIDEO)
        for number in range(20):
            store.put(entry.id, "me", question(f"{number}"))
        server.kill()
        server.start()
        assert [message.id for message in store.load(entry.id, "me").messages] == [f"{number}" for number in range(20)]
        database.close()
