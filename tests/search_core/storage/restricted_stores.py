"""Stores on a disk that is full, then on one that may not be written: ``python restricted_stores.py FULL READ_ONLY``.

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
from pathlib import Path

from search_core.errors import StorageError
from search_core.reading import Document
from search_core.storage import Database, LibraryIndex, SqliteEventLog
from search_core.text import korean
from tests.search_core.storage.events import EVER, event

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


def full_events(folder: Path) -> list[str]:
    log = SqliteEventLog(folder / "events.sqlite", patience_s=PATIENT_S)
    now = datetime.now(UTC)
    log.append([event("before", timestamp=now)])
    with file_size_limit(100_000):  # room for the first event of a batch
        outcomes = [outcome(lambda: log.append([event("half", timestamp=now), event("x" * 400_000)])) for _ in range(3)]
    log.append([event("after", timestamp=now)])
    return [*outcomes, *sorted(one.query for one in log.recent(EVER, 10))]


def read_only(folder: Path) -> list[str]:
    log, library = SqliteEventLog(folder / "events.sqlite", patience_s=PATIENT_S), LibraryIndex(folder / "library.sqlite")
    ways = [
        lambda: log.append([event()]),
        lambda: log.recent(EVER, 1),
        Database(folder / "maekrak.sqlite").reading().__enter__,
        lambda: library.index([Document(title="새 글", text="새 글이다.", url="library:2")]),
    ]
    return [*(result.url for result in library.search("훈민정음", 5)), *map(outcome, ways)]


if __name__ == "__main__":
    import search_core.storage.conversations  # noqa: F401 - a user without rights could not import it any more

    full, unwritable = map(Path, sys.argv[1:])
    done = {"full": full_events(full)}
    korean.warm_up()
    if os.geteuid() == 0:
        os.setuid(NOBODY)  # root may write anywhere
    print(json.dumps(done | {"read only": read_only(unwritable)}))
