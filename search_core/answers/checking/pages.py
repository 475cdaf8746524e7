"""Pages of the sources read at the same time, under one deadline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.domain import SearchResult
from search_core.errors import PageFailure, PageReadError

if TYPE_CHECKING:
    from search_core.reading.page_reader import ReadPage

logger = logging.getLogger(__name__)

PageRead = Callable[[str], Awaitable["ReadPage"]]
"""Reads the page at an address; raises PageReadError. Cancelling closes its connection."""


async def read_pages(
    urls: Mapping[int, str], read: PageRead, deadline_s: float, wait_for_reader: Callable[[], None] = lambda: None
) -> dict[int, ReadPage | PageFailure]:
    """Return by number what became of each page, as soon as all are done, *deadline_s* after the reader is there at the latest.

    Pages that are not there by then count as timed out. Nothing goes on when this returns or is cancelled.
    """
    if not urls:
        return {}
    await asyncio.to_thread(wait_for_reader)
    tasks = {number: asyncio.ensure_future(read(url)) for number, url in urls.items()}
    try:
        await asyncio.wait(tasks.values(), timeout=deadline_s)
        return {number: _outcome(task) for number, task in tasks.items()}
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)


def texts_of(results: Sequence[SearchResult], read: Mapping[int, ReadPage | PageFailure]) -> dict[str, str]:
    """Return by address the text of each page that was *read*; numbers count *results* from 1."""
    return {results[number - 1].url: page.page.text for number, page in read.items() if not isinstance(page, PageFailure)}


def add_page_dates(results: Sequence[SearchResult], read: Mapping[int, ReadPage | PageFailure]) -> tuple[SearchResult, ...]:
    """Return *results*, those without a date with the one their page names; numbers of *read* count them from 1."""
    return tuple(_add_date(result, read.get(number)) for number, result in enumerate(results, start=1))


def _add_date(result: SearchResult, page: ReadPage | PageFailure | None) -> SearchResult:
    if result.publish_date is not None or page is None or isinstance(page, PageFailure):
        return result
    return replace(result, publish_date=page.page.published)


def _outcome(task: asyncio.Future[ReadPage]) -> ReadPage | PageFailure:
    """Return what became of a page; an unexpected error costs this one and no others."""
    if not task.done():
        return PageFailure.TIMEOUT
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, PageReadError):
        return error.kind
    logger.error("A page could not be read for an unexpected reason", exc_info=error)
    return PageFailure.UNREADABLE
