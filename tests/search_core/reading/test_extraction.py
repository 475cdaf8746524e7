"""Pages read in processes of their own, which are killed when a page keeps them busy."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from search_core.errors import PageFailure, PageReadError
from search_core.reading.extraction import PageExtractor

TEXT = "정부는 오늘 인터포저 위에 메모리를 쌓는 새로운 공정을 지원하겠다고 발표했습니다."
PAGE = (
    "<html><head><title>공정 지원</title><meta property='article:published_time' content='2026-03-04T10:30:00+09:00'></head>"
    f"<body><article><h1>공정 지원</h1><p>{TEXT}</p><p>{TEXT}</p><p>{TEXT}</p></article></body></html>"
).encode()
ROOM_S = 60.0
"""Nothing here takes so long, unless it never ends."""


@pytest.fixture(scope="module")
def extractor() -> Iterator[PageExtractor]:
    with PageExtractor(limit_s=ROOM_S / 2) as ready:
        yield ready


def test_a_page_comes_back_whole(extractor: PageExtractor):
    """Title, text, date, method and language cross the border between the processes, and so do bytes of an old encoding."""
    page = extractor.extract(PAGE, "https://example.org/a", "text/html; charset=utf-8")
    assert (page.title, page.method, page.language) == ("공정 지원", "trafilatura", "ko")
    assert TEXT in page.text
    assert page.published is not None
    assert page.published.isoformat() == "2026-03-04T10:30:00+09:00"
    assert TEXT in extractor.extract(PAGE.decode().encode("cp949"), "https://example.org/a").text


def test_what_cannot_be_read_says_so(extractor: PageExtractor):
    """A shell and a challenge raise here what was found there, and the next page is read."""
    for data, kind in ((b"<div id=root></div>", PageFailure.UNREADABLE), (b"<p>anomaly-modal</p>", PageFailure.BLOCKED)):
        with pytest.raises(PageReadError) as caught:
            extractor.extract(data, "")
        assert caught.value.kind is kind
        assert caught.value.korean.endswith("요.")
    assert TEXT in extractor.extract(PAGE, "").text


def test_many_threads_read_at_once(extractor: PageExtractor):
    """Answers are not mixed up."""
    numbered = [PAGE.replace("공정 지원".encode(), f"공정 지원 {n}".encode()) for n in range(20)]
    with ThreadPoolExecutor(8) as pool:
        pages = list(pool.map(lambda data: extractor.extract(data, ""), numbered))
    assert [page.title for page in pages] == [f"공정 지원 {n}" for n in range(20)]


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


ANSWER = {"title": "", "text": "x", "published": "", "method": "plain", "language": ""}


def test_a_page_that_takes_too_long_is_killed_and_the_next_is_read():
    """A process that is busy past the limit is killed; another one takes its place."""
    command = worker(f"signal.pause() if data == b'bomb' else tell({{**{ANSWER}, 'text': str(os.getpid())}})")
    with PageExtractor(workers=1, limit_s=2.0, command=command) as extractor:
        begun = time.monotonic()
        first = extractor.extract(b"page", "").text
        with pytest.raises(PageReadError) as caught:
            extractor.extract(b"bomb", "")
        second = extractor.extract(b"page", "").text
    assert caught.value.kind is PageFailure.UNREADABLE
    assert "2 s" in str(caught.value)
    assert first != second
    assert time.monotonic() - begun < ROOM_S


@pytest.mark.parametrize(
    "end", ["os._exit(3)", "os.kill(os.getpid(), signal.SIGSEGV)", "print('{', end='', flush=True); os._exit(0)"]
)
def test_a_page_that_breaks_the_process_could_not_be_read(end: str):
    """A process that dies on a page, amid its answer too, costs that page and no other."""
    with PageExtractor(workers=1, limit_s=ROOM_S, command=worker(f"if data == b'bomb': {end}\n    tell({ANSWER})")) as extractor:
        with pytest.raises(PageReadError) as caught:
            extractor.extract(b"bomb", "")
        assert caught.value.kind is PageFailure.UNREADABLE
        assert extractor.extract(b"page", "").text == "x"


def test_the_process_is_not_told_our_keys(monkeypatch: pytest.MonkeyPatch):
    """Settings, and keys with them, are not in the environment of what reads strangers' pages; the rest is."""
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    monkeypatch.setenv("MAEKRAK_TEST_MARK", "seen")
    names = worker(f"tell({{**{ANSWER}, 'text': ' '.join(os.environ)}})")
    with PageExtractor(workers=1, limit_s=ROOM_S, command=names) as extractor:
        seen = extractor.extract(PAGE, "").text.split()
    assert "OPENAI_API_KEY" not in seen
    assert "MAEKRAK_TEST_MARK" in seen


def test_closing_ends_a_page_under_way():
    """Closing kills the processes, and whoever waits for a page gets an error."""
    with PageExtractor(workers=1, limit_s=ROOM_S, command=worker("sys.stderr.close(); signal.pause()")) as extractor:
        outcome: list[PageFailure] = []
        done = threading.Event()

        def wait() -> None:
            try:
                extractor.extract(PAGE, "")
            except PageReadError as error:
                outcome.append(error.kind)
            done.set()

        threading.Thread(target=wait, daemon=True).start()
        while not done.wait(0.05):
            extractor.close()
    assert outcome == [PageFailure.UNREADABLE]


def nested(tag: str, depth: int) -> bytes:
    return f"<{tag}>".encode() * depth + b"x" + f"</{tag}>".encode() * depth


BOMBS: dict[str, Callable[[], bytes]] = {
    "attributes": lambda: ("<p " + " ".join(f"a{n}={n}" for n in range(100_000)) + ">x</p>").encode(),
    "attributes below the bound": lambda: ("<p " + " ".join(f"a{n}" for n in range(1_999)) + ">x</p>").encode() * 40,
    "paragraphs": lambda: b"<p>x</p>" * 200_000,
    "paragraphs below the bound": lambda: ("<p>" + TEXT + "</p>").encode() * 24_000,
    "links below the bound": lambda: b"".join(b'<a href="/%d">title of page</a> ' % n for n in range(49_000)),
    "nested divs": lambda: nested("div", 40_000),
    "nested tables": lambda: nested("table><tr><td", 10_000),
    "entities": lambda: b"<p>" + b"&amp;&lt;&#65;&nbsp;" * 150_000 + b"</p>",
    "one long comment": lambda: b"<!--" + b"-" * 3_000_000,
    "long line": lambda: b"<p>" + b"x" * 3_500_000 + b"</p>",
    "open tags": lambda: b"<" * 1_000_000,
    "open attribute": lambda: b'<p title="' + b"x" * 3_000_000,
    "rules": lambda: b"<style>" + b".a,.b{display:none}" * 100_000 + b"</style>" + b'<p class="a b">x</p>' * 40_000,
    "scripts": lambda: b'<script>{"datePublished":"' * 100_000,
    "dates": lambda: b"<p>" + b"2026-03-04 2025.01.02 12/11/2024 March 3, 2020 " * 60_000 + b"</p>",
}


@pytest.fixture(scope="module")
def bounded() -> Iterator[PageExtractor]:
    with PageExtractor(workers=1, limit_s=1.5) as ready:
        yield ready


@pytest.mark.parametrize("name", BOMBS)
def test_no_document_holds_a_process(bounded: PageExtractor, name: str):
    """Each of these documents ends, read or with a typed error, within the limit and the start of a new process."""
    data = BOMBS[name]()
    assert len(data) <= 4 << 20
    begun = time.monotonic()
    kind = None
    try:
        assert bounded.extract(data, "https://example.org/a").text
    except PageReadError as error:
        kind = error.kind
    assert kind in (None, PageFailure.UNREADABLE)
    assert time.monotonic() - begun < ROOM_S


def test_an_ordinary_page_is_read_after_them(bounded: PageExtractor):
    """After a bomb the same reader reads a page right."""
    with pytest.raises(PageReadError):
        bounded.extract(BOMBS["attributes"](), "")
    for _ in range(3):
        try:
            assert TEXT in bounded.extract(PAGE, "").text
        except PageReadError:  # a machine so busy that an ordinary page takes three seconds
            continue
        return
    pytest.fail("an ordinary page is not read any more")


def test_getting_ready_starts_the_processes_of_the_first_pages():
    """The pages that come next, two at a time, are read by processes that are there already."""
    with PageExtractor(workers=2) as extractor:
        extractor.get_ready()
        processes = [child._process for child in extractor._pool._children]
        assert None not in processes
        extractor.extract(PAGE, "https://example.org/a")
        assert [child._process for child in extractor._pool._children] == processes


def test_a_process_that_does_not_start_is_an_error(caplog: pytest.LogCaptureFixture):
    """A process that ends before it is ready is logged when getting ready and raises with the first page."""
    with PageExtractor(workers=1, command=[sys.executable, "-c", "raise SystemExit(3)"]) as extractor:
        extractor.get_ready()
        assert "could not be got ready" in caplog.text
        with pytest.raises(PageReadError, match="did not start"):
            extractor.extract(PAGE, "https://example.org/a")
