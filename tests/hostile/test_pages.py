"""Pages and services that are made to hold up whoever reads them."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

import pytest

from search_core.checking.online_check import add_excerpts
from search_core.checking.verdicts.compare import judge_sources
from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.domain.stance import Statement
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.errors import PageFailure, PageReadError, ProviderError
from search_core.language import korean
from search_core.providers.kit.http import HttpClient
from search_core.reading.webpage import read_webpage
from tests.search_core.reading.loopback_site import LoopbackSite
from tests.search_core.reading.test_fetch import fetcher

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
LAG_S = 0.1
"""A turn takes .02 to .06 of a processor, by how busy the machine is."""
PAGE_S = 60.0


def drip(connection: socket.socket, _: bytes) -> None:
    """Send pieces of one byte for ever, as fast as they are taken."""
    connection.sendall(HEAD)
    while True:
        connection.sendall(b"1\r\na\r\n" * 10_000)


async def _lags(*readers: Coroutine[Any, Any, object]) -> tuple[list[object], list[float]]:
    """Return how the readers ended, and the processor time others on the loop had to wait for each of their turns."""
    lags: list[float] = []
    tasks = [asyncio.create_task(reader) for reader in readers]
    while not all(task.done() for task in tasks):
        before = time.thread_time()  # of this thread alone: other programs on the machine are no fault of the page
        await asyncio.sleep(0)
        lags.append(time.thread_time() - before)
    return await asyncio.gather(*tasks, return_exceptions=True), sorted(lags)


def test_tiny_pieces_without_end_block_no_other_task():
    """Pages in endless pieces of one byte end as too large, and 99 of 100 turns of other tasks come within 100 ms."""
    with LoopbackSite(drip) as site:
        url = f"http://page.test:{site.port}/"
        ends, lags = asyncio.run(_lags(*(fetcher(site, timeout_s=PAGE_S).fetch(url) for _ in range(4))))
    assert lags[int(0.99 * len(lags))] < LAG_S, lags[-5:]
    assert all(isinstance(end, PageReadError) and end.kind is PageFailure.TOO_LARGE for end in ends)


def test_early_hints_without_end_end_in_time():
    """A service that floods with 1xx answers is given up after the time for one answer, and blocks no other task meanwhile."""
    with LoopbackSite(hint) as site:
        (end,), lags = asyncio.run(_lags(HttpClient(timeout_s=1.0, agent="test").get(f"http://127.0.0.1:{site.port}/")))
    assert isinstance(end, ProviderError)
    assert end.status is SearchStatus.TIMEOUT
    assert lags[int(0.99 * (len(lags) - 1))] < LAG_S, lags[-5:]


@pytest.mark.parametrize(("tags", "attributes"), [(200, 1_999), (2_000, 90)])
def test_attributes_without_number_are_refused(tags: int, attributes: int):
    """Many tags with many attributes each, of which a tree takes nearly a gigabyte, are refused before there is one."""
    names = " ".join(f"a{number}=1" for number in range(attributes))
    with pytest.raises(PageReadError) as caught:
        read_webpage(f"<html><body>{f'<p {names}>글</p>' * tags}</body></html>".encode(), "https://example.com/")
    assert caught.value.kind is PageFailure.UNREADABLE
    assert "attributes" in str(caught.value)


SPOKEN = "예산은 칠십오만 삼천이백 원이다. 정부는 12조 3천억 원을 쓴다고 했다."
PAGES = 5
COMPARING_S = 1.5


def _numeral(drawn: random.Random) -> str:
    """Return a number of eight digits in Korean words."""
    return "".join(drawn.choice("일이삼사오육칠팔구") + unit for unit in ("천", "백", "십", "만 ", "천", "백", "십", "원"))


def _sentences(drawn: random.Random) -> str:
    return "".join(" ".join(_numeral(drawn) for _ in range(20)) + "이 모였다. " for _ in range(700))


def _one_sentence(drawn: random.Random) -> str:
    return " ".join(_numeral(drawn) for _ in range(12_000))


def _native(drawn: random.Random) -> str:
    return " ".join(drawn.choice(("두 배", "세 명", "네 개", "다섯 번")) for _ in range(50_000))


@pytest.mark.parametrize("text", [_sentences, _one_sentence, _native])
def test_pages_of_figures_in_words_are_compared_in_time(text):
    """Five pages of 200,000 characters, all of them figures in Korean words, take less than 1.5 s of the processor."""
    drawn = random.Random(1)
    pages = {f"https://example.com/{number}": text(drawn) for number in range(PAGES)}
    results = [SearchResult(title="예산", url=url, snippet="예산", source="example.com") for url in pages]
    video = VideoContext(title="예산", transcript=(TranscriptSegment(0, 10, SPOKEN),))
    korean.morphemes("낱말을 싣는다")  # loading the words is no work on a page
    before = time.process_time()
    comparison = judge_sources([Statement(0, SPOKEN)], results, video, datetime(2026, 11, 20, tzinfo=UTC), pages).comparison()
    add_excerpts(results, pages, SPOKEN, comparison)
    assert time.process_time() - before < COMPARING_S


def hint(connection: socket.socket, _: bytes) -> None:
    """Send early hints for ever, as fast as they are taken."""
    while True:
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 2_000)
