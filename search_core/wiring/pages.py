"""Reads web pages and documents of the library; the page reader is built on first use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from search_core.errors import PageFailure, PageReadError
from search_core.runtime import Lazy, run_in_thread
from search_core.settings import Settings

if TYPE_CHECKING:
    from search_core.reading.html import ReadPage
    from search_core.reading.page_reader import PageReader
    from search_core.wiring.library import OwnDocuments

LIBRARY = "library:"


class WarmUp:
    """Prepares slow parts in the background: the analyser, the sample documents, the model."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self._running = Lazy(lambda: run_in_thread(lambda: [step() for step in steps], "maekrak-warm-up"))

    def start(self) -> None:
        """Start once and return at once."""
        self._running()

    def wait(self) -> None:
        """Start if necessary, and wait until all is ready, or a step has failed."""
        self._running().exception()  # waits for it


class SourceReader:
    """Reads web pages and documents of the library; on one event loop.

    ``PageReader`` takes a second to import and processes of its own: it is made when the first page is to be read.
    """

    def __init__(self, settings: Settings, documents: Lazy[OwnDocuments]) -> None:
        self._documents = documents
        self._reader = Lazy(lambda: _page_reader(settings))
        self.warm = WarmUp(lambda: self._reader().get_ready())
        """Starts the processes that read pages, so that no page's time is spent on that."""

    async def read(self, url: str) -> ReadPage:
        """Return the text of the page or library document at *url*; raises PageReadError."""
        if url.startswith(LIBRARY):
            return await self.read_document(url)
        reader = await asyncio.to_thread(self._reader)
        return await reader.read(url)

    async def read_document(self, url: str) -> ReadPage:
        """Return the text of the library document at *url*, without a request; raises PageReadError."""
        return await asyncio.to_thread(self._document, url)

    def _document(self, url: str) -> ReadPage:
        document = self._documents().library.get(url)
        if document is None:
            raise PageReadError(
                PageFailure.UNREADABLE,
                "The library holds the document no longer.",
                korean="이 자료를 더는 찾을 수 없어요. 지워졌거나 다시 색인되었을 수 있어요.",
            )
        return document

    def close(self) -> None:
        """Close the page reader, if it was built."""
        if self._reader.made is not None:
            self._reader.made.close()


def _page_reader(settings: Settings) -> PageReader:
    from search_core.reading.page_reader import PageReader

    return PageReader.of(settings)
