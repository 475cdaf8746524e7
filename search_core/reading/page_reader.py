"""Web pages from address to text, a few at a time."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, Self
from weakref import WeakValueDictionary

from search_core.reading.extraction import WORKERS, ExtractedPage, PageExtractor
from search_core.reading.fetch import PageFetcher
from search_core.reading.public_address import AddressRule
from search_core.settings import Settings

AT_ONCE = 32
"""Pages under way; each holds a connection and up to its bytes."""
AT_ONCE_FROM_HOST = 2


class ReadPage(NamedTuple):
    """A read page."""

    url: str
    """Where it was found in the end, after redirects."""
    page: ExtractedPage


class PageReader:
    """Fetches pages and reads them; belongs to one event loop."""

    def __init__(self, fetcher: PageFetcher, extractor: PageExtractor) -> None:
        self._fetcher = fetcher
        self._extractor = extractor
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="maekrak-pages")
        self._all = asyncio.Semaphore(AT_ONCE)
        self._hosts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return a reader for *settings* (WEB_SCRAPER_TIMEOUT, READING_ALLOW_PRIVATE)."""
        rule = AddressRule(admitted=settings.private_hosts)
        return cls(PageFetcher(timeout_s=settings.web_scraper_timeout, rule=rule), PageExtractor())

    async def read(self, url: str) -> ReadPage:
        """Return the text of the page at *url* after waiting its turn; cancelling closes its connection.

        Raises PageReadError, whose ``kind`` says why the page gave no text.
        """
        host = self._fetcher.rule.check_url(url).host
        turn = self._hosts.setdefault(host, asyncio.Semaphore(AT_ONCE_FROM_HOST))
        async with turn, self._all:
            fetched = await self._fetcher.fetch(url)
        work = partial(self._extractor.extract, fetched.body, fetched.url, fetched.content_type)
        return ReadPage(fetched.url, await asyncio.get_running_loop().run_in_executor(self._threads, work))

    def get_ready(self) -> None:
        """Start slow parts before the first page; blocks."""
        self._extractor.get_ready()

    def close(self) -> None:
        """End the processes and threads that read pages."""
        self._extractor.close()
        self._threads.shutdown(cancel_futures=True)
