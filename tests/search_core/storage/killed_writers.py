"""Rounds of writers that are killed: ``python killed_writers.py KINDS ROUNDS WRITERS``.

KINDS are some of events, replies, library and messages, with commas; the first line of the input says where they are. One process
imports the app once and forks the writers of each round. A writer names in its pipe what was acknowledged; when enough was named
all are killed at whatever they are doing. What they had named is printed as a JSON object of a list for each kind.
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

from search_core.domain import SearchResult, SearchStatus
from search_core.reading import Document
from search_core.storage import Database, DiskReplyCache, LibraryIndex, SqliteEventLog
from search_core.storage.conversations import ConversationStore
from tests.search_core.storage.events import event
from tests.search_core.storage.sample_records import answer

PATIENT_S = 60.0
BATCH = 5
"""Documents that are put into the library at once."""
Write = Callable[[str], bool]
"""Writes something of a name and returns whether that was acknowledged."""


def event_writer(folder: str) -> Write:
    log = SqliteEventLog(Path(folder, "events.sqlite"), patience_s=PATIENT_S)

    def write(name: str) -> bool:
        log.append([event(f"{name} {half}", timestamp=datetime.now(UTC)) for half in ("a", "b")])
        return True

    return write


def reply_writer(folder: str) -> Write:
    cache = DiskReplyCache(folder, patience_s=PATIENT_S)

    def write(name: str) -> bool:
        hit = SearchResult(title=name * 50, url="https://example.org/", snippet=name, source="example.org")
        cache.put(name, SearchStatus.SUCCESS, (hit,), 3600)
        return cache.get(name) is not None  # put itself returns nothing: a file locked for too long is a miss

    return write


def library_writer(folder: str) -> Write:
    index = LibraryIndex(Path(folder, "library.sqlite"))

    def write(name: str) -> bool:
        index.index([Document(title=name, text="메모리 대역폭 " * 50, url=f"library:{name}/{part}") for part in range(BATCH)])
        return True

    return write


def message_writer(where: str) -> Write:
    address, _, conversation = where.rpartition(" ")
    store = ConversationStore(Database(address if "://" in address else Path(address)))

    def write(name: str) -> bool:
        store.put(conversation, "me", answer(name))
        return True

    return write


FAST = ("events", "replies")
WRITERS = {"events": event_writer, "replies": reply_writer, "library": library_writer, "messages": message_writer}


def fork_writer(kind: str, where: str, prefix: str) -> tuple[int, int]:
    """Return process and pipe of a new writer."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    os.close(reading)
    try:
        write = WRITERS[kind](where)
        number = 0
        while True:
            name = f"{prefix}-{number}"
            if write(name):
                os.write(writing, f"{name}\n".encode())
            number += 1
    finally:
        traceback.print_exc()
        os._exit(1)


def run_round(kind: str, where: str, number: int, writers: int) -> list[str]:
    running = dict(reversed(fork_writer(kind, where, f"{number}-{writer}")) for writer in range(writers))
    named = dict.fromkeys(running, b"")
    enough = 15 if kind == "library" else 3 + number * 37 % (200 if kind in FAST else 20)
    """Kills fall on opening, on growing and on moving the log into the file."""
    try:
        while sum(text.count(b"\n") for text in named.values()) < enough:
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
        os.close(pipe)
        os.waitpid(process, 0)
    return [name for text in named.values() for name in text.decode().split()]


if __name__ == "__main__":
    kinds, rounds, writers = sys.argv[1].split(","), int(sys.argv[2]), int(sys.argv[3])
    where = sys.stdin.readline().strip()
    if "messages" in kinds:  # loads what the writers would each load again
        address = where.rpartition(" ")[0]
        database = Database(address if "://" in address else Path(address))
        with database.reading():
            pass
        database.close()
    named = {kind: [] for kind in kinds}
    for kind in kinds:
        alone = kind == "library"  # each of its writers loads the morphemes anew
        for number in range(1 if alone else rounds):
            named[kind] += run_round(kind, where, number, 1 if alone else writers)
    print(json.dumps(named))
