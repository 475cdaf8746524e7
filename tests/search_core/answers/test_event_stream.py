from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import closing

import pytest

from search_core.answers.event_stream import EventStream
from search_core.errors import InputError
from search_core.runtime import LoopThread

SOON_S = 30


@pytest.fixture
def loop() -> Iterator[LoopThread]:
    loop = LoopThread()
    yield loop
    loop.close()


class Numbers:
    """Yields numbers: up to *until*, then ends, fails or hangs; notes how far it came and that it was closed."""

    def __init__(self, until: int, *, then: Exception | None = None, hangs: bool = False) -> None:
        self._until = until
        self._then = then
        self._hangs = hangs
        self.yielded = 0
        self.closed = threading.Event()

    async def numbers(self) -> AsyncGenerator[int]:
        try:
            for number in range(self._until):
                self.yielded += 1
                yield number
            if self._hangs:
                await asyncio.Event().wait()
            if self._then is not None:
                raise self._then
        finally:
            self.closed.set()


def test_events_come_in_order_and_end(loop: LoopThread):
    """All that is yielded is read in order, an error once after the events before it, and the end stays the end."""
    stream = EventStream(loop, Numbers(1000).numbers(), ahead=7)
    assert list(stream) == list(range(1000))
    assert list(stream) == []
    stream.close()
    failing = EventStream(loop, Numbers(3, then=InputError("no", korean="안 돼요")).numbers())
    assert [next(failing), next(failing), next(failing)] == [0, 1, 2]
    with pytest.raises(InputError, match="no"):
        next(failing)
    assert list(failing) == []


def test_a_reader_who_does_not_read_holds_the_writer_up(loop: LoopThread):
    """No more than the bound is made ahead, and one in the writer's hand."""
    numbers = Numbers(1000)
    with closing(EventStream(loop, numbers.numbers(), ahead=5)) as stream:
        assert next(stream) == 0
        loop.run(asyncio.sleep(0))
        assert numbers.yielded <= 1 + 5 + 5 + 1
    assert numbers.closed.is_set()


@pytest.mark.parametrize("closes", ["stream", "loop"])
def test_closing_stops_the_generator_before_it_returns(loop: LoopThread, closes: str):
    """After ``close`` of the stream or of the core nothing is under way or read, and closing again does nothing."""
    numbers = Numbers(2, hangs=True)
    stream = EventStream(loop, numbers.numbers())
    assert [next(stream), next(stream)] == [0, 1]
    (loop if closes == "loop" else stream).close()
    assert numbers.closed.is_set()
    assert list(stream) == []
    stream.close()


def test_another_thread_can_close_while_one_waits(loop: LoopThread):
    """A reader that waits for the next event is let go when somebody else closes the stream."""
    stream = EventStream(loop, Numbers(1, hangs=True).numbers())
    first_read = threading.Event()
    read: list[int] = []

    def follow() -> None:
        for number in stream:
            read.append(number)
            first_read.set()

    reader = threading.Thread(target=follow)
    reader.start()
    assert first_read.wait(SOON_S)
    stream.close()
    reader.join(SOON_S)
    assert not reader.is_alive()
    assert read == [0]
