"""Rounds of writers that are killed: ``python killed_writers.py FOLDER CONVERSATION ROUNDS WRITERS``.

One process imports the app once and forks the writers of each round, half of them of events and half of messages in *FOLDER*. A
writer names in its pipe what was acknowledged; when enough was named all are killed at whatever they are doing. What they had
named is printed as a JSON list.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from select import select

from search_core.storage import Database, SqliteEventLog
from search_core.storage.conversations import ConversationStore
from tests.search_core.storage.events import event
from tests.search_core.storage.sample_records import answer

Write = Callable[[str], None]
"""Writes something of a name and returns when that was acknowledged."""


def event_writer(folder: Path, _: str) -> Write:
    log = SqliteEventLog(folder / "events.sqlite")
    return lambda name: log.append([event(f"{name} {half}", timestamp=datetime.now(UTC)) for half in ("a", "b")])


def message_writer(folder: Path, conversation: str) -> Write:
    store = ConversationStore(Database(folder / "maekrak.sqlite"))
    return lambda name: store.put(conversation, "me", answer(name))


WRITERS = {"events": event_writer, "messages": message_writer}


def fork_writer(make: Callable[[], Write], prefix: str) -> tuple[int, int]:
    """Return pipe and process of a new writer."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return reading, process
    try:
        write, number = make(), 0
        while True:
            write(f"{prefix}-{number}")
            os.write(writing, f"{prefix}-{number}\n".encode())
            number += 1
    finally:
        traceback.print_exc()
        os._exit(1)


def run_round(folder: Path, conversation: str, number: int, writers: int) -> list[str]:
    """Return what was acknowledged; kills fall on opening, on growing and on moving the log into the file."""
    running = dict(
        fork_writer(lambda make=make: make(folder, conversation), f"{kind}-{number}-{writer}")
        for writer in range(writers // len(WRITERS))
        for kind, make in WRITERS.items()
    )
    named = dict.fromkeys(running, b"")
    try:
        while sum(text.count(b"\n") for text in named.values()) < 3 + number * 37 % 100:
            for pipe in select(list(running), [], [])[0]:
                text = os.read(pipe, 65536)
                if not text:
                    raise RuntimeError("a writer ended by itself")
                named[pipe] += text
    finally:
        for process in running.values():
            os.kill(process, signal.SIGKILL)
    for pipe, process in running.items():
        while text := os.read(pipe, 65536):
            named[pipe] += text
        os.waitpid(process, 0)
    return [name for text in named.values() for name in text.decode().split()]


if __name__ == "__main__":
    place, conversation, rounds, writers = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    database = Database(place / "maekrak.sqlite")  # loads what the writers would each load again
    with database.reading():
        pass
    database.close()
    print(json.dumps([name for number in range(rounds) for name in run_round(place, conversation, number, writers)]))
