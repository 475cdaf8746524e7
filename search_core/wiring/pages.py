"""Reading web pages, got ready when the first one is to be read."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from search_core.settings import Settings

if TYPE_CHECKING:
    from search_core.reading.page_reader import PageReader, ReadPage


class LatePageReader:
    """Reads pages as ``PageReader`` does, whose parts take a second to import and processes of their own; on one event loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._reader: PageReader | None = None

    async def read(self, url: str) -> ReadPage:
        """Return what the page at *url* says; raises PageReadError."""
        reader = self._reader
        if reader is None:
            reader = await asyncio.to_thread(self._made)
        return await reader.read(url)

    def _made(self) -> PageReader:
        from search_core.reading.page_reader import PageReader

        with self._lock:
            if self._reader is None:
                self._reader = PageReader.of(self._settings)
            return self._reader

    def close(self) -> None:
        """End what reads pages, where anything was read."""
        with self._lock:
            if self._reader is not None:
                self._reader.close()
