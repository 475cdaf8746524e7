"""Pages that are made to hold up whoever reads them."""

from __future__ import annotations

import asyncio
import socket
import time

import pytest

from search_core.errors import PageFailure, PageReadError
from search_core.reading.fetch import PageFetcher
from tests.search_core.reading.loopback_site import LoopbackSite
from tests.search_core.reading.test_fetch import fetcher

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
LAG_S = 0.05
PAGE_S = 10.0


def drip(connection: socket.socket, _: bytes) -> None:
    """Send pieces of one byte for ever, as fast as they are taken."""
    connection.sendall(HEAD)
    while True:
        connection.sendall(b"1\r\na\r\n" * 10_000)


async def _lags(fetchers: list[tuple[PageFetcher, str]]) -> tuple[list[object], list[float]]:
    """Return how the pages ended, and the processor time others on the loop had to wait for each of their turns."""
    lags: list[float] = []
    pages = [asyncio.create_task(one.fetch(url)) for one, url in fetchers]
    while not all(page.done() for page in pages):
        before = time.thread_time()  # of this thread alone: other programs on the machine are no fault of the page
        await asyncio.sleep(0)
        lags.append(time.thread_time() - before)
    return await asyncio.gather(*pages, return_exceptions=True), sorted(lags)


@pytest.mark.parametrize("pages", [1, 16])
def test_tiny_pieces_without_end_hold_up_nobody(pages: int):
    """Pages in endless pieces of one byte end as too large, and 99 of 100 turns of others come within 50 ms."""
    with LoopbackSite(drip) as site:
        url = f"http://page.test:{site.port}/"
        ends, lags = asyncio.run(_lags([(fetcher(site, timeout_s=PAGE_S), url) for _ in range(pages)]))
    assert lags[int(0.99 * len(lags))] < LAG_S, lags[-5:]
    assert all(isinstance(end, PageReadError) and end.kind is PageFailure.TOO_LARGE for end in ends)
