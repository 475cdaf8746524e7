"""Stores on a disk that is full or may not be written: ``python restricted_stores.py full|read-only FOLDER``.

Prints what each store did as one JSON object.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from search_core import korean
from search_core.domain import SearchResult, SearchStatus
from search_core.errors import StorageError
from search_core.reading import Document
from search_core.storage import Database, DiskReplyCache, LibraryIndex, LibraryMeaning, SqliteEventLog
from tests.search_core.storage.events import event
from tests.search_core.storage.reading_models import LetterReader

NOBODY = 65534
PATIENT_S = 30.0


def outcome(work: Callable[[], object]) -> str:
    """Return "done", or what the user is asked to look at."""
    try:
        work()
    except StorageError as error:
        return "rights" if "권한" in error.korean else "refused"
    return "done"


@contextmanager
def file_size_limit(limit_bytes: int) -> Iterator[None]:
    """Let no file grow beyond *limit_bytes*, as on a disk without room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def full_events(folder: Path) -> list[object]:
    ticks = count(0, 100)
    log = SqliteEventLog(folder / "events.sqlite", patience_s=PATIENT_S, monotonic=lambda: float(next(ticks)))
    now = datetime.now(UTC)
    log.append([event("before", timestamp=now)])
    with file_size_limit(4096):
        outcomes = [outcome(lambda: log.append([event("x" * 10_000, timestamp=now)])) != "done" for _ in range(3)]
    log.append([event("after", timestamp=now)])
    return [*outcomes, *sorted(one.query for one in log.recent(now, 10))]


def full_replies(folder: Path) -> list[str]:
    cache = DiskReplyCache(folder, patience_s=PATIENT_S)
    large = tuple(
        SearchResult(title=os.urandom(2000).hex(), url="https://example.org/", snippet="", source="") for _ in range(50)
    )
    with file_size_limit(4096):
        for number in range(3):
            cache.put(f"large{number}", SearchStatus.SUCCESS, large, 60)
        return ["miss" if cache.get(f"large{number}") is None else "found" for number in range(3)]


def full_library(folder: Path) -> list[object]:
    library = LibraryIndex(folder / "library.sqlite")
    texts = {"zebras": "zz"} | {str(number): "pppp " * 60 for number in range(300)}
    library.index([Document(title="", text=text, url=f"library:{name}", language="en") for name, text in texts.items()])
    meaning = LibraryMeaning(library, LetterReader, retry_s=0.01)
    meaning.look()
    with file_size_limit((folder / "library.sqlite-wal").stat().st_size + 60_000):
        meaning.start()
        while not (meaning.filling.complete or meaning.filling.problem):
            meaning.wait(1.0)
        near, _ = meaning.search("z", 1)
        stopped = [bool(meaning.filling.problem), 0 < meaning.filling.progress.done < len(texts), near[0].url]
    while not meaning.filling.complete:
        meaning.wait(1.0)
    meaning.close()
    return [*stopped, meaning.filling.problem, meaning.filling.progress.done]


def read_only_events(folder: Path) -> list[str]:
    log = SqliteEventLog(folder / "events.sqlite", patience_s=PATIENT_S)
    return [outcome(lambda: log.append([event()])), outcome(lambda: log.recent(datetime.now(UTC), 1))]


def read_only_library(folder: Path) -> list[str]:
    library = LibraryIndex(folder / "library.sqlite")
    found = [result.url for result in library.search("훈민정음", 5)]
    return [*found, outcome(lambda: library.index([Document(title="새 글", text="새 글이다.", url="library:2")]))]


def read_only_database(folder: Path) -> list[str]:
    def read() -> None:
        with Database(folder / "maekrak.sqlite").reading():
            pass

    return [outcome(read)]


if __name__ == "__main__":
    condition, place = sys.argv[1], Path(sys.argv[2])
    if condition == "full":
        print(json.dumps([work(place) for work in (full_events, full_replies, full_library)]))
    else:
        import search_core.storage.conversations  # noqa: F401 - a user without rights could not import it any more

        korean.warm_up()
        if os.geteuid() == 0:
            os.setuid(NOBODY)  # root may write anywhere
        print(json.dumps([work(place) for work in (read_only_events, read_only_library, read_only_database)]))
