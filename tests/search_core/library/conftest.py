"""Empty libraries for the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from search_core.library.library import Library
from search_core.library.postgresql_library import SharedLibraryIndex
from search_core.library.sqlite_library import LibraryIndex
from search_core.storage.database import Database

PATIENCE_S = 60.0


@pytest.fixture
def open_library(address: Path | str, tmp_path: Path) -> Iterator[Callable[[], Library]]:
    """Return what opens one library, of each kind, over connections of its own each time, as other processes do."""
    with ExitStack() as opened:

        def open_one() -> Library:
            if isinstance(address, Path):
                return opened.enter_context(closing(LibraryIndex(tmp_path / "library.sqlite")))
            database = opened.enter_context(closing(Database(address)))
            return opened.enter_context(closing(SharedLibraryIndex(database, count_patience_s=PATIENCE_S)))

        yield open_one


@pytest.fixture
def library(open_library: Callable[[], Library]) -> Library:
    """Open an empty library of each kind for the test."""
    return open_library()


@pytest.fixture
def library_file(tmp_path: Path) -> Iterator[LibraryIndex]:
    """Open an empty library in the file ``library.sqlite`` for the test."""
    with closing(LibraryIndex(tmp_path / "library.sqlite")) as opened:
        yield opened
