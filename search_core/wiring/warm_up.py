"""Getting slow things ready in the background, the sample documents among them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from search_core.domain import SAMPLE_COLLECTION, SearchResult
from search_core.errors import StorageError
from search_core.reading import parse_documents
from search_core.storage import Library, index_paths

logger = logging.getLogger(__name__)

SAMPLE_DOCUMENTS = Path(__file__).parents[2] / "samples" / "library"
MAX_FILLING_S = 20
"""A search waits no longer than this for the sample documents."""


class WarmUp:
    """Gets slow things ready in the background: the analyser, the sample documents, the model."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self._steps = steps
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._started = False

    def start(self) -> None:
        """Start once and return at once."""
        with self._lock:
            if self._started:
                return
            self._started = True
        threading.Thread(target=self._run, name="maekrak-warm-up", daemon=True).start()

    def _run(self) -> None:
        try:
            for step in self._steps:
                step()
        finally:
            self._done.set()

    def wait(self) -> None:
        """Start if need be, and wait until all is ready."""
        self.start()
        self._done.wait()


class SampledLibrary:
    """The library on a fresh machine: the sample documents are on their way into it, and a search waits for them."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._filled = threading.Event()

    def fill(self) -> None:
        """Put the documents that ship with the app into the library; costs nothing when they are there already."""
        try:
            index_paths(self._library, [SAMPLE_DOCUMENTS], collection=SAMPLE_COLLECTION, read=parse_documents)
        except StorageError as error:
            logger.warning("The sample documents could not be put into the library: %s", error)
        finally:
            self._filled.set()

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        """Return the best *limit* documents for *query*, best first; *samples* False leaves out those that ship with the app."""
        if samples:
            self._filled.wait(MAX_FILLING_S)
        return self._library.search(query, limit, samples=samples)

    def count(self, *, samples: bool = True) -> int:
        """Return how many documents there are, at least one while the samples asked for are on their way."""
        return self._library.count(samples=samples) or int(samples and not self._filled.is_set())
