"""Processes that answer requests, and are killed, closed, waited for and replaced."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from search_core.child_process import ChildError, ChildFailure, ChildPool, FileReaders, serve
from search_core.errors import VideoReadError

ROOM_S = 60.0
"""Nothing here takes so long, unless it never ends."""


def child(body: str, *, memory_bytes: int = 4 << 30, idle_s: float | None = None) -> list[str]:
    """Return a command that serves requests; *body* is what its ``answer(head, data)`` returns."""
    code = f"""
import os, signal
from search_core.child_process import serve
def answer(head, data):
    return {body}
serve(answer, memory_bytes={memory_bytes}, idle_s={idle_s})
"""
    return [sys.executable, "-c", code]


def failure(pool: ChildPool, data: bytes = b"", **options: object) -> ChildFailure:
    with pytest.raises(ChildError) as caught:
        pool.ask({}, data, limit_s=ROOM_S, **options)
    return caught.value.kind


def test_a_request_and_its_answer_cross_the_border_whole():
    """Head and bytes arrive as they are sent, and so does the answer, line ends with it, but for halves of letters."""
    pool = ChildPool(child("{'name': head['name'], 'size': len(data)}"), size=1)
    assert pool.ask({"name": "가\n\ud800"}, b"\n" * 100_000, limit_s=ROOM_S) == {"name": "가\n?", "size": 100_000}
    pool.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows counts no processor time of a request")
def test_a_request_may_use_so_much_of_a_processor():
    """A request that computes past its processor time is ended and named so; the time of each request begins anew."""
    body = "max(iter(int, 1)) if data == b'x' else {'sum': sum(range(20_000_000))}"
    pool = ChildPool(child(body), size=1)
    for _ in range(4):
        assert pool.ask({}, b"", limit_s=ROOM_S, cpu_s=1.0) == {"sum": 199_999_990_000_000}
    assert failure(pool, b"x", cpu_s=1.0) is ChildFailure.SPENT
    pool.close()


def test_waiting_for_a_process_has_an_end():
    """Who finds all processes at work is told so after the time it would wait."""
    pool = ChildPool(child("signal.pause()"), size=1)
    busy = threading.Thread(target=lambda: failure(pool))
    busy.start()
    while pool._idle.qsize():
        threading.Event().wait(0.01)
    assert failure(pool, wait_s=0.01) is ChildFailure.BUSY
    pool.close()
    busy.join(ROOM_S)


def test_a_process_nobody_asks_ends_and_is_replaced():
    """A process that has ended by itself costs nobody a request."""
    pool = ChildPool(child("{'pid': os.getpid()}", idle_s=0.5), size=1)
    first = pool.ask({}, b"", limit_s=ROOM_S)
    [one] = pool._children
    assert one.process is not None
    assert one.process.wait(ROOM_S) == 0
    assert pool.ask({}, b"", limit_s=ROOM_S) != first
    pool.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the system knows no such bound")
def test_memory_is_bounded():
    """A request that wants more memory than is allowed gets MemoryError, not the machine's."""
    body = "{'failed': _fails(head['bytes_wanted'])}"
    command = child(body, memory_bytes=1 << 30)
    command[-1] = (
        "def _fails(size):\n    try:\n        bytearray(size)\n    except MemoryError:\n        return True\n" + command[-1]
    )
    pool = ChildPool(command, size=1)
    assert pool.ask({"bytes_wanted": 2 << 30}, b"", limit_s=ROOM_S) == {"failed": True}
    pool.close()


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="Linux alone is told who goes first")
def test_where_memory_runs_out_the_process_goes_first():
    """The system ends it rather than the one that asks: a model that does not fit costs no page."""
    with closing(ChildPool(child("{'score': open('/proc/self/oom_score_adj').read()}"), size=1)) as pool:
        assert pool.ask({}, b"", limit_s=ROOM_S) == {"score": "1000\n"}


def die() -> None:
    serve(lambda *_: os._exit(3), memory_bytes=None)


@pytest.mark.parametrize(
    ("place", "said", "korean"),
    [
        (f"{__name__}:die", "a.srt broke the program", "파일을 읽지 못했어요."),
        ("os:abort", "a.srt was not read", "지금은 파일을 읽지 못해요. 잠시 뒤에 다시 해 주세요."),
    ],
)
def test_a_file_that_breaks_its_reader_is_named(place: str, said: str, korean: str):
    """A reader that dies on a file, and one that does not start, are errors of the caller's kind, with advice."""
    readers = FileReaders(place, VideoReadError, size=1, clock_s=ROOM_S, smaller="", unreadable="파일을 읽지 못했어요.")
    with pytest.raises(VideoReadError, match=said) as caught:
        readers.ask("a.srt", {}, cpu_s=ROOM_S)
    assert caught.value.korean == korean


@pytest.mark.parametrize("body", ["import time\ntime.sleep(60)", "serve(lambda *_: signal.pause(), memory_bytes=None)"])
def test_a_process_that_is_closed_is_no_error(body: str, caplog: pytest.LogCaptureFixture):
    """Closed while it starts or amid a request, a process ends without a word, and no other is started for who asks later."""
    code = f"import signal\nfrom search_core.child_process import serve\n{body}"
    pool = ChildPool([sys.executable, "-c", code], size=1)
    asking = threading.Thread(target=lambda: failures.append(failure(pool)))
    failures: list[ChildFailure] = []
    asking.start()
    while pool._children[0].process is None:
        threading.Event().wait(0.01)
    pool.close()
    asking.join(ROOM_S)
    assert (failures, failure(pool)) == ([ChildFailure.CANCELLED], ChildFailure.CANCELLED)
    assert pool._children[0].process is None
    assert caplog.text == ""
