"""Pages of the sources read at the same time, under one deadline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from search_core.errors import PageFailure, PageReadError

if TYPE_CHECKING:
    from search_core.reading.page_reader import ReadPage

logger = logging.getLogger(__name__)

PageRead = Callable[[str], Awaitable["ReadPage"]]
"""Reads the page at an address; raises PageReadError. Cancelling closes its connection."""


async def read_pages(urls: Mapping[int, str], read: PageRead, deadline_s: float) -> dict[int, ReadPage | PageFailure]:
    """Return by number what became of each page, as soon as all are done, after *deadline_s* at the latest.

    Pages that are not there by then count as timed out. Nothing goes on when this returns or is cancelled.
    """
    if not urls:
        return {}
    tasks = {number: asyncio.create_task(_read(url, read)) for number, url in urls.items()}
    try:
        await asyncio.wait(tasks.values(), timeout=deadline_s)
        return {number: task.result() if task.done() else PageFailure.TIMEOUT for number, task in tasks.items()}
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)


async def _read(url: str, read: PageRead) -> ReadPage | PageFailure:
    try:
        return await read(url)
    except PageReadError as error:
        return error.kind
    except Exception:  # one odd page must not cost the others
        logger.exception("A page could not be read for an unexpected reason")
        return PageFailure.UNREADABLE
