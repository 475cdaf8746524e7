"""Writers that are killed while they write: no acknowledged write is lost, none is there by half, and the files are sound."""

from __future__ import annotations

import multiprocessing
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from multiprocessing.connection import Connection, wait
from pathlib import Path

from search_core.storage.conversations import ConversationStore
from search_core.storage.database import Database
from search_core.storage.event_log import SqliteEventLog
from tests.search_core.storage.sample_records import VIDEO, answer, question
from tests.search_core.storage.test_event_log import event

ROUNDS, WRITERS = 10, 4
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload([__name__])  # else each writer would import the app


def write(folder: Path, conversation: str, prefix: str, acknowledged: Connection) -> None:
    """Write events or messages, as *prefix* says, until killed, and name what was acknowledged."""
    log, store = SqliteEventLog(folder / "events.sqlite"), ConversationStore(Database(folder / "maekrak.sqlite"))
    for number in count():
        name = f"{prefix}-{number}"
        if prefix.startswith("events"):
            log.append([event(f"{name} {half}", timestamp=datetime.now(UTC)) for half in ("a", "b")])
        else:
            store.put(conversation, "me", answer(name))
        acknowledged.send(name)


def kill_amid_writing(folder: Path, conversation: str, number: int) -> list[str]:
    """Return what was acknowledged in a round; kills fall on opening, on growing and on moving the log into the file."""
    writers = []
    for writer in range(WRITERS):
        receiving, sending = PROCESSES.Pipe(duplex=False)
        prefix = f"{('events', 'messages')[writer % 2]}-{number}-{writer}"
        process = PROCESSES.Process(target=write, args=(folder, conversation, prefix, sending), daemon=True)
        process.start()
        sending.close()
        writers.append((receiving, process))
    named: list[str] = []
    while len(named) < 3 + number * 37 % 100:
        ready = wait([pipe for pipe, _ in writers])
        named += [pipe.recv() for pipe, _ in writers if pipe in ready]
    for _, process in writers:
        process.kill()
        process.join()
    for pipe, _ in writers:
        with suppress(EOFError):
            while True:
                named.append(pipe.recv())
    return named


def test_no_acknowledged_write_is_lost(tmp_path: Path):
    """Every acknowledged event and message is there whole after ten rounds of kills, and a conversation goes on."""
    with closing(Database(tmp_path / "maekrak.sqlite")) as database:
        entry = ConversationStore(database).create("me", VIDEO)
    named = {name for number in range(ROUNDS) for name in kill_amid_writing(tmp_path, entry.id, number)}
    assert {name.split("-")[1] for name in named} == {str(number) for number in range(ROUNDS)}
    for name in ("events.sqlite", "maekrak.sqlite"):
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
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
