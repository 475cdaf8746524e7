"""Rounds of writers that are killed: ``python killed_writers.py events|replies PATH ROUNDS WRITERS``.

One process imports the app once and forks the writers of each round. A writer says in its pipe what was acknowledged; when enough
was said all are killed at whatever they are doing. What they had said is printed as one JSON list.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from select import select

from search_core.domain import SearchEvent, SearchResult, SearchStatus
from search_core.storage import DiskReplyCache, SqliteEventLog

PATIENT_S = 60.0


def event_writer(path: str) -> Callable[[str], bool]:
    log = SqliteEventLog(path, patience_s=PATIENT_S)

    def write(name: str) -> bool:
        now = datetime.now(UTC)
        common = {"status": SearchStatus.SUCCESS, "result_count": 1, "provider": "p", "latency_ms": 1.0, "timestamp": now}
        log.append([SearchEvent(query=f"{name} {half}", **common) for half in ("a", "b")])
        return True

    return write


def reply_writer(path: str) -> Callable[[str], bool]:
    cache = DiskReplyCache(path, patience_s=PATIENT_S)

    def write(name: str) -> bool:
        hit = SearchResult(title=name * 50, url="https://example.org/", snippet=name, source="example.org")
        cache.put(name, SearchStatus.SUCCESS, (hit,), 3600)
        return cache.get(name) is not None  # put itself says nothing: a file locked for too long is a miss

    return write


def forked(kind: str, path: str, prefix: str) -> tuple[int, int]:
    """Return process and pipe of a new writer."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    os.close(reading)
    try:
        write = {"events": event_writer, "replies": reply_writer}[kind](path)
        number = 0
        while True:
            name = f"{prefix}-{number}"
            if write(name):
                os.write(writing, f"{name}\n".encode())
            number += 1
    finally:
        traceback.print_exc()
        os._exit(1)


def one_round(kind: str, path: str, number: int, writers: int) -> list[str]:
    running = dict(reversed(forked(kind, path, f"{number}-{writer}")) for writer in range(writers))
    said = dict.fromkeys(running, b"")
    enough = 3 + number * 37 % 200  # kills fall on opening, on growing and on moving the log into the file
    try:
        while sum(text.count(b"\n") for text in said.values()) < enough:
            for pipe in select(list(running), [], [])[0]:
                text = os.read(pipe, 65536)
                if not text:
                    raise RuntimeError("a writer ended by itself")
                said[pipe] += text
    finally:
        for process in running.values():
            os.kill(process, signal.SIGKILL)
    for pipe, process in running.items():
        while text := os.read(pipe, 65536):
            said[pipe] += text
        os.close(pipe)
        os.waitpid(process, 0)
    return [name for text in said.values() for name in text.decode().split()]


if __name__ == "__main__":
    kind, path, rounds, writers = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    print(json.dumps([name for number in range(rounds) for name in one_round(kind, path, number, writers)]))
