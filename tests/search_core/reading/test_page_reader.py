"""Pages from address to text: a few at a time, in processes that are killed when a page keeps them busy."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime

import psutil
import pytest

from search_core.errors import PageFailure, PageReadError
from search_core.reading.fetch import FetchedPage, PageFetcher
from search_core.reading.html import ReadPage
from search_core.reading.page_reader import PageExtractor, PageReader
from search_core.reading.public_address import AddressRule
from search_core.settings import Settings
from tests.search_core.reading.loopback_site import LoopbackSite, answer
from tests.search_core.reading.test_fetch import loopback

TEXT = "정부는 오늘 인터포저 위에 메모리를 쌓는 새로운 공정을 지원하겠다고 발표했습니다."
ARTICLE = (
    "<html><head><title>공정 지원</title><meta property='article:published_time' content='2026-03-04T10:30:00+09:00'></head>"
    f"<body><article><h1>공정 지원</h1>{f'<p>{TEXT}</p>' * 3}</article></body></html>"
).encode()
PAGE = answer(ARTICLE)
ROOM_S = 60.0
"""Nothing here takes so long, unless it never ends."""


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
            return (await pages.read(url)).text
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


@dataclass(frozen=True, kw_only=True)
class Crowd(PageFetcher):
    """Counts the pages that are fetched at the same time; lets each go after all that may come have come."""

    now: Counter[str] = field(default_factory=Counter)
    most: Counter[str] = field(default_factory=Counter)

    async def fetch(self, url: str) -> FetchedPage:
        host = self.rule.check_url(url).host
        self.now.update((host, "all"))
        self.most.update(self.now - self.most)
        for _ in range(100):
            await asyncio.sleep(0)
        self.now.subtract((host, "all"))
        return FetchedPage(url=url, content_type="text/html", body=ARTICLE)


@pytest.mark.parametrize(("hosts", "expected"), [(["one.test"], 2), ([f"h{n}.test" for n in range(20)], 32)])
def test_a_host_and_the_machine_are_spared(extractor: PageExtractor, hosts: list[str], expected: int):
    """No more than two pages of a host and thirty-two in all are under way; all are read in the end."""
    crowd = Crowd(timeout_s=ROOM_S)

    async def read_all() -> list[ReadPage]:
        pages = PageReader(crowd, extractor)
        return await asyncio.gather(*(pages.read(f"http://{hosts[n % len(hosts)]}/{n}") for n in range(40)))

    assert [TEXT in page.text for page in asyncio.run(read_all())] == [True] * 40
    assert crowd.most.pop("all") == expected
    assert max(crowd.most.values()) == 2


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


def test_a_page_comes_back_whole_or_says_why_not(extractor: PageExtractor):
    """Title, text, date and language cross the border between the processes, and so do refusals."""
    page = extractor.extract(ARTICLE, "https://example.org/a", "text/html; charset=utf-8")
    assert (page.title, page.language) == ("공정 지원", "ko")
    assert TEXT in page.text
    assert page.published == datetime.fromisoformat("2026-03-04T10:30:00+09:00")
    for data, kind in ((b"<div id=root></div>", PageFailure.UNREADABLE), (b"<p>anomaly-modal</p>", PageFailure.BLOCKED)):
        with pytest.raises(PageReadError) as caught:
            extractor.extract(data, "")
        assert caught.value.kind is kind
        assert caught.value.korean.endswith("요.")
    assert TEXT in extractor.extract(ARTICLE.decode().encode("cp949"), "").text


def worker(body: str) -> list[str]:
    """Return a command that says it is ready and then does *body* with each ``request``."""
    code = f"""
import json, os, signal, sys, time
def tell(answer): print(json.dumps(answer), flush=True)
tell({{"ready": True}})
while line := sys.stdin.buffer.readline():
    request = json.loads(line)
    data = sys.stdin.buffer.read(request["bytes"])
    {body}
"""
    return [sys.executable, "-c", code]


ANSWER = {"url": "", "title": "", "text": "x", "published": "", "language": ""}


SPIN = "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 2)); [None for _ in iter(int, 1)]"
"""Is busy without end, bounded as the real process bounds itself."""


@pytest.mark.parametrize(
    ("bomb", "limits", "why", "kind"),
    [
        (SPIN, {"limit_s": 1.0}, "1 s of a processor", PageFailure.UNREADABLE),
        ("signal.pause()", {"clock_limit_s": 4.0}, "within 4 s", PageFailure.NOT_READ_HERE),
        ("os.kill(os.getpid(), signal.SIGSEGV)", {}, "broke the program", PageFailure.UNREADABLE),
        ("print('{', end='', flush=True); os._exit(0)", {}, "broke the program", PageFailure.UNREADABLE),
    ],
    ids=["busy", "waiting", "dying", "dying amid its answer"],
)
def test_a_page_that_holds_or_breaks_its_process_costs_no_other(bomb: str, limits: dict[str, float], why: str, kind: PageFailure):
    """One that keeps a process busy or breaks it has no text, one that only waits is no fault of its site; the next is read."""
    command = worker(f"if data == b'bomb': {bomb}\n    tell({{**{ANSWER}, 'text': str(os.getpid())}})")
    with closing(PageExtractor(workers=1, command=command, **{"limit_s": ROOM_S, **limits})) as extractor:
        first = extractor.extract(b"page", "").text
        with pytest.raises(PageReadError, match=why) as caught:
            extractor.extract(b"bomb", "")
        assert extractor.extract(b"page", "").text != first
    assert caught.value.kind is kind


def test_the_process_is_not_told_our_keys(monkeypatch: pytest.MonkeyPatch):
    """Settings, and keys with them, are not in the environment of what reads strangers' pages; the rest is."""
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    monkeypatch.setenv("MAEKRAK_TEST_MARK", "seen")
    names = worker(f"tell({{**{ANSWER}, 'text': ' '.join(os.environ)}})")
    with closing(PageExtractor(workers=1, limit_s=ROOM_S, command=names)) as extractor:
        seen = extractor.extract(ARTICLE, "").text.split()
    assert "OPENAI_API_KEY" not in seen
    assert "MAEKRAK_TEST_MARK" in seen


def test_a_process_that_does_not_start_is_an_error(caplog: pytest.LogCaptureFixture):
    """A process that ends before it is ready is logged when getting ready and raises with the first page."""
    with closing(PageExtractor(workers=1, command=[sys.executable, "-c", "raise SystemExit(3)"])) as extractor:
        extractor.get_ready()
        assert "could not be got ready" in caplog.text
        with pytest.raises(PageReadError, match="did not start"):
            extractor.extract(ARTICLE, "https://example.org/a")
