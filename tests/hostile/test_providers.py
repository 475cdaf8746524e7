"""Search services that are made to hold up their callers."""

from __future__ import annotations

import asyncio
import socket
import time

from search_core.domain import SearchStatus
from search_core.errors import ProviderError
from search_core.provider_kit.http import HttpClient
from tests.search_core.reading.loopback_site import LoopbackSite

LAG_S = 0.05
ANSWER_S = 1.0


def hint(connection: socket.socket, _: bytes) -> None:
    """Send early hints for ever, as fast as they are taken."""
    while True:
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 2_000)


async def _ask(url: str) -> tuple[object, list[float]]:
    """Return how the request ended, and the processor time others on the loop had to wait for each of its turns."""
    lags: list[float] = []
    asking = asyncio.create_task(HttpClient(timeout_s=ANSWER_S, agent="test").get(url))
    while not asking.done():
        before = time.thread_time()
        await asyncio.sleep(0)
        lags.append(time.thread_time() - before)
    return (await asyncio.gather(asking, return_exceptions=True))[0], sorted(lags)


def test_early_hints_without_end_end_in_time():
    """A flood of 1xx answers is given up after the time for one answer, and blocks no other task meanwhile."""
    with LoopbackSite(hint) as site:
        end, lags = asyncio.run(_ask(f"http://127.0.0.1:{site.port}/"))
    assert isinstance(end, ProviderError)
    assert end.status is SearchStatus.TIMEOUT
    assert lags[int(0.99 * (len(lags) - 1))] < LAG_S, lags[-5:]
