"""Web pages from address to text, a few at a time, parsed in processes that are killed when a page keeps them busy."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from typing import Self
from weakref import WeakValueDictionary

from search_core.child_process import ChildError, ChildFailure, ChildPool, python_call
from search_core.errors import PageFailure, PageReadError
from search_core.reading.fetch import PageFetcher
from search_core.reading.html import ReadPage
from search_core.reading.public_address import AddressRule
from search_core.settings import Settings

logger = logging.getLogger(__name__)

LIMIT_S = 3.0
"""Seconds of processor time for one page; ordinary ones take a tenth of it at most."""
CLOCK_LIMIT_S = 15.0
"""Seconds by the clock for one page, on a busy machine."""
WORKERS = 2
AT_ONCE = 32
"""Most pages fetched at the same time; each holds a connection and its bytes."""
AT_ONCE_FROM_HOST = 2


class PageExtractor:
    """Reads pages in at most *workers* processes; safe to use from many threads.

    A process is started when the first page needs it, and again after one that was killed.
    """

    def __init__(
        self,
        *,
        workers: int = WORKERS,
        limit_s: float = LIMIT_S,
        clock_limit_s: float = CLOCK_LIMIT_S,
        command: Sequence[str] | None = None,
    ) -> None:
        """Take the number of processes and the limits for a page; *command* replaces the worker process."""
        self._limit_s, self._clock_limit_s = limit_s, clock_limit_s
        self._pool = ChildPool(command or python_call("search_core.reading.webpage:serve_pages"), size=workers)

    def extract(self, data: bytes, url: str, content_type: str = "") -> ReadPage:
        """Return the parsed page in *data*; blocks, so call it on a thread.

        *url* is for dates and links, *content_type* the character set. Raises PageReadError: BLOCKED for a page that asks for
        proof of a human, UNREADABLE for one without text or that takes too long, NOT_READ_HERE if the fault is ours.
        """
        try:
            head = {"url": url, "type": content_type}
            answer = self._pool.ask(head, data, limit_s=self._clock_limit_s, cpu_s=self._limit_s)
        except ChildError as error:
            raise self._unreadable(error.kind) from error
        if "failed" in answer:
            raise PageReadError(PageFailure(answer["failed"]), answer["message"])
        moment = answer.pop("published")
        return ReadPage(**answer, published=datetime.fromisoformat(moment) if moment else None)

    def get_ready(self) -> None:
        """Start the processes, unless they run; blocks. Failures are reported by the first page."""
        try:
            self._pool.get_ready()
        except ChildError as error:
            logger.warning("Reading pages could not be got ready: %s", error)

    def close(self) -> None:
        """End the processes, even during a page."""
        self._pool.close()

    def _unreadable(self, kind: ChildFailure) -> PageReadError:
        if kind is ChildFailure.LATE:
            return PageReadError(PageFailure.NOT_READ_HERE, f"The page was not read within {self._clock_limit_s:g} s.")
        if kind is ChildFailure.NOT_STARTED:
            return PageReadError(PageFailure.NOT_READ_HERE, "The program that reads pages did not start.")
        if kind is ChildFailure.SPENT:
            return PageReadError(PageFailure.UNREADABLE, f"The page took more than {self._limit_s:g} s of a processor to read.")
        return PageReadError(PageFailure.UNREADABLE, "The page broke the program that reads pages.")


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
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def get_ready(self) -> None:
        """Start slow parts before the first page; blocks."""
        self._extractor.get_ready()

    def close(self) -> None:
        """End the processes and threads that read pages."""
        self._extractor.close()
        self._threads.shutdown(cancel_futures=True)
