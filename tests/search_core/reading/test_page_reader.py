"""Pages from address to text: a few at a time, and nothing left behind."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing

import psutil
import pytest

from search_core.errors import PageFailure, PageReadError
from search_core.reading.extraction import PageExtractor
from search_core.reading.fetch import PageFetcher
from search_core.reading.page_reader import PageReader
from search_core.reading.public_address import AddressRule
from search_core.settings import Settings
from tests.search_core.reading.loopback_site import LoopbackSite, answer
from tests.search_core.reading.test_fetch import loopback

TEXT = "정부는 오늘 인터포저 위에 메모리를 쌓는 새로운 공정을 지원하겠다고 발표했습니다."
PAGE = answer(f"<html><head><title>공정</title></head><body><article>{f'<p>{TEXT}</p>' * 3}</article></body></html>".encode())
ROOM_S = 30.0
LONGER_S = 0.3


@pytest.fixture(scope="module")
def extractor() -> Iterator[PageExtractor]:
    with closing(PageExtractor(limit_s=ROOM_S)) as ready:
        yield ready


def reader(extractor: PageExtractor, site: LoopbackSite, hosts: Sequence[str], timeout_s: float = ROOM_S) -> PageReader:
    rule = AddressRule(admitted={(host, site.port) for host in hosts})
    return PageReader(PageFetcher(timeout_s=timeout_s, rule=rule, resolver=loopback), extractor)


def test_settings_alone_admit_a_private_address(monkeypatch: pytest.MonkeyPatch):
    """A host on loopback is read when READING_ALLOW_PRIVATE names it, and refused without a connection when not."""

    async def read(url: str) -> str:
        pages = PageReader.of(Settings.from_env())
        try:
            return (await pages.read(url)).page.text
        finally:
            pages.close()

    with LoopbackSite(PAGE) as site:
        with pytest.raises(PageReadError) as caught:
            asyncio.run(read(site.url(host="127.0.0.1")))
        assert caught.value.kind is PageFailure.REFUSED_ADDRESS
        assert site.visits == 0
        monkeypatch.setenv("READING_ALLOW_PRIVATE", f"127.0.0.1:{site.port}")
        monkeypatch.setenv("WEB_SCRAPER_TIMEOUT", str(ROOM_S))
        assert TEXT in asyncio.run(read(site.url(host="127.0.0.1")))


class Crowd:
    """Counts the visitors who are there at the same time; lets them go a while after all that may come have come."""

    def __init__(self, expected: int) -> None:
        self._lock = threading.Lock()
        self._expected = expected
        self._full, self._go = threading.Event(), threading.Event()
        self.now: Counter[bytes] = Counter()
        self.most: Counter[bytes] = Counter()

    def visit(self, connection: socket.socket, head: bytes) -> None:
        host = head.partition(b"Host: ")[2].partition(b":")[0]
        with self._lock:
            self.now.update((host, b"all"))
            self.most |= self.now
            if self.now[b"all"] >= self._expected:
                self._full.set()
        self._full.wait(ROOM_S)
        self._go.wait(LONGER_S)
        self._go.set()
        with self._lock:
            self.now.subtract((host, b"all"))
        connection.sendall(PAGE)


@pytest.mark.parametrize(("hosts", "expected"), [(["one.test"], 2), ([f"h{n}.test" for n in range(20)], 32)])
def test_a_host_and_the_machine_are_spared(extractor: PageExtractor, hosts: list[str], expected: int):
    """No more than two pages of a host and thirty-two in all are under way, measured at the server; all are read in the end."""
    crowd = Crowd(expected)

    async def read_all(site: LoopbackSite) -> list[str]:
        pages = reader(extractor, site, hosts)
        reads = await asyncio.gather(*(pages.read(site.url(f"/{n}", hosts[n % len(hosts)])) for n in range(40)))
        return [read.page.text for read in reads]

    with LoopbackSite(crowd.visit) as site:
        texts = asyncio.run(read_all(site))
    assert [TEXT in text for text in texts] == [True] * 40
    assert crowd.most.pop(b"all") == expected
    assert max(crowd.most.values()) <= 2


def test_silent_pages_do_not_hold_up_the_others(extractor: PageExtractor):
    """Of ten pages the seven that answer are read, and the three that do not are late; each says which it is."""
    silent = 3

    def visit(connection: socket.socket, head: bytes) -> None:
        if int(head.split(b" ")[1].strip(b"/")) < silent:
            site.wait_for_leaving(connection)
        else:
            connection.sendall(PAGE)

    async def read_all() -> list[object]:
        pages = reader(extractor, site, [f"h{n}.test" for n in range(10)], timeout_s=8.0)
        return await asyncio.gather(*(pages.read(site.url(f"/{n}", f"h{n}.test")) for n in range(10)), return_exceptions=True)

    with LoopbackSite(visit) as site:
        ends = asyncio.run(read_all())
    kinds = [end.kind if isinstance(end, PageReadError) else "read" for end in ends]
    assert kinds == [PageFailure.TIMEOUT] * silent + ["read"] * (10 - silent)


def test_failures_leave_nothing_behind(extractor: PageExtractor):
    """After sixty pages that fail in different ways no sockets, threads, tasks or processes are left over."""
    ways = [b"", b"no HTTP\r\n\r\n", answer(b"", status="403 Forbidden"), answer(b"%PDF", "Content-Type: application/pdf")]
    ways += [answer(b"", "Location: file:///etc/passwd", status="302 Found"), answer(b"<div id=root></div>")]
    me = psutil.Process()

    def visit(connection: socket.socket, head: bytes) -> None:
        connection.sendall(ways[int(head.split(b" ")[1].strip(b"/")) % len(ways)])

    async def fail(site: LoopbackSite, count: int) -> tuple[int, int]:
        pages = reader(extractor, site, [f"h{n}.test" for n in range(8)])
        reads = [pages.read(site.url(f"/{n}", f"h{n % 8}.test")) for n in range(count)]
        ends = await asyncio.gather(*reads, return_exceptions=True)
        pages._threads.shutdown()
        return sum(isinstance(end, PageReadError) for end in ends), len(asyncio.all_tasks())

    def left_after(count: int) -> tuple[int, int, int]:
        with LoopbackSite(visit) as site:
            assert asyncio.run(fail(site, count)) == (count, 1)
        return me.num_fds(), threading.active_count(), len(me.children())

    before, after = left_after(6), left_after(60)
    assert all(now <= then + 2 for now, then in zip(after, before, strict=True)), (before, after)
