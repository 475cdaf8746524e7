"""Pages read in processes of their own, which are killed when a page keeps them busy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime

import pytest

from search_core.errors import PageFailure, PageReadError
from search_core.reading.extraction import PageExtractor
from tests.loopback.child_processes import running_children

TEXT = "정부는 오늘 인터포저 위에 메모리를 쌓는 새로운 공정을 지원하겠다고 발표했습니다."
PAGE = (
    "<html><head><title>공정 지원</title><meta property='article:published_time' content='2026-03-04T10:30:00+09:00'></head>"
    f"<body><article><h1>공정 지원</h1><p>{TEXT}</p><p>{TEXT}</p><p>{TEXT}</p></article></body></html>"
).encode()
ROOM_S = 60.0
"""Nothing here takes so long, unless it never ends."""


@pytest.fixture(scope="module")
def extractor() -> Iterator[PageExtractor]:
    with closing(PageExtractor(limit_s=ROOM_S / 2)) as ready:
        yield ready


def test_a_page_comes_back_whole_or_says_why_not(extractor: PageExtractor):
    """Title, text, date, method and language cross the border between the processes, and so do refusals."""
    page = extractor.extract(PAGE, "https://example.org/a", "text/html; charset=utf-8")
    assert (page.title, page.method, page.language) == ("공정 지원", "trafilatura", "ko")
    assert TEXT in page.text
    assert page.published == datetime.fromisoformat("2026-03-04T10:30:00+09:00")
    for data, kind in ((b"<div id=root></div>", PageFailure.UNREADABLE), (b"<p>anomaly-modal</p>", PageFailure.BLOCKED)):
        with pytest.raises(PageReadError) as caught:
            extractor.extract(data, "")
        assert caught.value.kind is kind
        assert caught.value.korean.endswith("요.")
    assert TEXT in extractor.extract(PAGE.decode().encode("cp949"), "").text


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


SPIN = "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 2)); [None for _ in iter(int, 1)]"
"""Is busy without end, bounded as the real process bounds itself."""


@pytest.mark.parametrize(
    ("bomb", "limits", "why", "kind"),
    [
        (SPIN, {"limit_s": 1.0}, "1 s of a processor", PageFailure.UNREADABLE),
        ("signal.pause()", {"clock_limit_s": 4.0}, "within 4 s", PageFailure.NOT_READ_HERE),
    ],
    ids=["busy", "waiting"],
)
def test_a_page_that_takes_too_long_is_killed_and_the_next_is_read(
    bomb: str, limits: dict[str, float], why: str, kind: PageFailure
):
    """One that keeps a process busy past its limit has no text, one that only waits is no fault of its site; the next is read."""
    command = worker(f"if data == b'bomb': {bomb}\n    tell({{**{ANSWER}, 'text': str(os.getpid())}})")
    with closing(PageExtractor(workers=1, command=command, **limits)) as extractor:
        first = extractor.extract(b"page", "").text
        with pytest.raises(PageReadError, match=why) as caught:
            extractor.extract(b"bomb", "")
        assert extractor.extract(b"page", "").text != first
    assert caught.value.kind is kind


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), signal.SIGSEGV)", "print('{', end='', flush=True); os._exit(0)"])
def test_a_page_that_breaks_the_process_could_not_be_read(end: str):
    """A process that dies on a page, amid its answer too, costs that page and no other."""
    bombed = worker(f"if data == b'bomb': {end}\n    tell({ANSWER})")
    with closing(PageExtractor(workers=1, limit_s=ROOM_S, command=bombed)) as extractor:
        with pytest.raises(PageReadError) as caught:
            extractor.extract(b"bomb", "")
        assert caught.value.kind is PageFailure.UNREADABLE
        assert extractor.extract(b"page", "").text == "x"


def test_the_process_is_not_told_our_keys(monkeypatch: pytest.MonkeyPatch):
    """Settings, and keys with them, are not in the environment of what reads strangers' pages; the rest is."""
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    monkeypatch.setenv("MAEKRAK_TEST_MARK", "seen")
    names = worker(f"tell({{**{ANSWER}, 'text': ' '.join(os.environ)}})")
    with closing(PageExtractor(workers=1, limit_s=ROOM_S, command=names)) as extractor:
        seen = extractor.extract(PAGE, "").text.split()
    assert "OPENAI_API_KEY" not in seen
    assert "MAEKRAK_TEST_MARK" in seen


def test_readers_that_nobody_asks_end():
    """They give back their memory, and the next page starts one again."""
    with closing(PageExtractor(workers=1, idle_s=0.2)) as extractor:
        extractor.get_ready()
        running_children("serve_pages")[-1].wait(ROOM_S)
        assert TEXT in extractor.extract(PAGE, "").text


def test_a_process_that_does_not_start_is_an_error(caplog: pytest.LogCaptureFixture):
    """A process that ends before it is ready is logged when getting ready and raises with the first page."""
    with closing(PageExtractor(workers=1, command=[sys.executable, "-c", "raise SystemExit(3)"])) as extractor:
        extractor.get_ready()
        assert "could not be got ready" in caplog.text
        with pytest.raises(PageReadError, match="did not start"):
            extractor.extract(PAGE, "https://example.org/a")
