"""The one event loop of the process, on its own thread, and a least-recently-used cache.

A coroutine handed in runs on the loop's thread; cancelling the future of its result cancels it, which closes its sockets.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing, contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from queue import SimpleQueue
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Clock = Callable[[], datetime]
"""Tells the time, with its zone."""

ASKED_BY: ContextVar[str] = ContextVar("asked_by", default="")
"""The owner of the current work, for the event log; empty without a login. Work started on other loops inherits it."""
WORKER_THREADS = 32
"""Threads of the loop; many, because each hanging name look-up blocks one, and computing stages must not wait for those."""

TURN_S = 0.005
"""How long a thread computes before it checks whether others wait for Python's lock."""
ASK_S = 0.0002
WAITED_S = 0.001
"""If the short pause of this check takes longer than this, another thread was waiting."""
OTHER_WORK_S = 0.1
"""After a gap of this length between checks, the time of computing is counted from 0 again."""
STOPS_WITHIN_S = 5.0


def utc_now() -> datetime:
    """Return the time it is."""
    return datetime.now(UTC)


class GilYielder(threading.local):
    """Pauses long computations so that other threads can run; counts for each thread separately.

    Drawing a page takes Python's lock many times, and each time waits for a thread that never blocks. So such a thread checks
    every few milliseconds whether it gets the lock back at once; if not, it pauses as long as it computed.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter, sleep: Callable[[float], object] = time.sleep) -> None:
        self._clock = clock
        self._sleep = sleep
        self._begun = 0.0

    def give_way(self) -> None:
        """Pause if this thread has computed for a while and others wait."""
        now = self._clock()
        if now - self._begun > OTHER_WORK_S:
            self._begun = now
        elif now - self._begun >= TURN_S:
            self._sleep(ASK_S)
            if self._clock() - now > WAITED_S:
                self._sleep(TURN_S)
            self._begun = self._clock()


_turns = GilYielder()


def in_turns(steps: Iterable[T]) -> Iterator[T]:
    """Yield *steps* of a computation and let other threads run in between; not for the event loop's thread."""
    for step in steps:
        _turns.give_way()
        yield step


COMPUTING_AT_ONCE = 2
"""Most threads that compute for searches at once: only one runs at a time, and each more makes pages wait longer."""
AGAIN_WITHIN_S = 1.0
"""A thread that has waited this long to compute again goes on, even above the limit, as others may need a lock it holds."""
_places = threading.Semaphore(COMPUTING_AT_ONCE)
_taken = threading.local()


@contextmanager
def computing() -> Iterator[None]:
    """Take one of the ``COMPUTING_AT_ONCE`` places during the block, after waiting for a free one; blocks must not be nested."""
    _places.acquire()
    _taken.place = True
    try:
        yield
    finally:
        if _taken.place:
            _places.release()
        _taken.place = False


@contextmanager
def waiting() -> Iterator[None]:
    """Give up this thread's place in ``computing`` during the block, in which it only waits."""
    if not getattr(_taken, "place", False):
        yield
        return
    _places.release()
    try:
        yield
    finally:
        _taken.place = _places.acquire(timeout=AGAIN_WITHIN_S)


class Lazy(Generic[T]):
    """A value made on first use; thread-safe, concurrent callers wait for each other."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self.made: T | None = None
        """What was made; None until then."""

    def __call__(self) -> T:
        """Return the value, making it if necessary; raises the error of making it, after which the next call tries again."""
        if self.made is not None:
            return self.made
        with waiting():
            self._lock.acquire()
        try:
            if self.made is None:
                self.made = self._make()
            return self.made
        finally:
            self._lock.release()

    @property
    def under_way(self) -> bool:
        """Return whether a thread makes it now."""
        return self._lock.locked()


class LoopThread:
    """Owns an event loop that runs until ``close``."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._workers = ThreadPoolExecutor(WORKER_THREADS, thread_name_prefix="maekrak-worker")
        self._loop.set_default_executor(self._workers)
        self._thread = threading.Thread(target=self._run, name="maekrak-loop", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def start(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Start *coroutine* and return its future at once; cancelling the future cancels the task."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def run(self, coroutine: Coroutine[Any, Any, T], timeout_s: float | None = None) -> T:
        """Run *coroutine* to its end and return its result.

        Raises what the coroutine raises, and TimeoutError after *timeout_s* seconds, when the task is cancelled.
        """
        future = self.start(coroutine)
        try:
            return future.result(timeout_s)
        except TimeoutError:
            future.cancel()
            raise

    def iterate(self, values: AsyncGenerator[T]) -> Generator[T]:
        """Yield the items of *values* as they come; closing stops it and waits for its cleanup.

        It runs as one task, from the first requested value on. An error is raised after the values before it.
        """
        received: SimpleQueue[tuple[T] | None] = SimpleQueue()

        async def pump() -> None:
            async for value in values:
                received.put((value,))

        async def begin() -> asyncio.Task[None]:
            task = asyncio.create_task(pump())
            task.add_done_callback(lambda _: received.put(None))
            return task

        task = self.run(begin())
        try:
            while (value := received.get()) is not None:
                yield value[0]
            if not task.cancelled():
                task.result()
        finally:
            if not self.closed:
                self.run(_cancel(task), STOPS_WITHIN_S)

    def call(self, function: Callable[[], object]) -> None:
        """Call *function* on the loop thread, soon."""
        self._loop.call_soon_threadsafe(function)

    @property
    def closed(self) -> bool:
        """Return whether the loop was closed."""
        return self._loop.is_closed()

    def close(self) -> None:
        """Cancel running work, let it clean up, and end the thread."""
        if self.closed:
            return
        self.run(_cancel_all(), STOPS_WITHIN_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOPS_WITHIN_S)
        self._loop.close()
        self._workers.shutdown(wait=False)


async def wait_or_finish(task: asyncio.Task[Any], *signals: asyncio.Event, timeout_s: float | None = None) -> None:
    """Wait until *task* ends, one of *signals* is set or time is up; then cancel it if necessary.

    Cancelling the waiting cancels the task, too; what the task raises stays in it.
    """
    tasks = (task, *(asyncio.create_task(signal.wait()) for signal in signals))
    try:
        await asyncio.wait(tasks, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _cancel(*tasks)


async def _cancel_all() -> None:
    await _cancel(*(task for task in asyncio.all_tasks() if task is not asyncio.current_task()))


async def _cancel(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def run_in_thread(work: Callable[[], T], name: str) -> Future[T]:
    """Run *work* on a daemon thread, which does not delay the end of the process."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # running work cannot be cancelled, only abandoned

    def fulfil() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # whoever waits for the future raises it
            future.set_exception(error)
            if not isinstance(error, Exception):
                raise

    threading.Thread(target=fulfil, name=name, daemon=True).start()
    return future


def call_on(loop: asyncio.AbstractEventLoop, call: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Have *loop* call *call* soon, unless it is closed; from any thread or signal handler."""
    with suppress(RuntimeError):  # the loop is closed, and who waited on it is gone with it
        loop.call_soon_threadsafe(partial(call, *args, **kwargs))


class LoopSignal:
    """Wakes coroutines on any number of event loops; takes no lock, so a signal handler may set it."""

    def __init__(self) -> None:
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    def set(self) -> None:
        """Set the event of every listener."""
        for loop, event in tuple(self._waiting):
            call_on(loop, event.set)

    @contextmanager
    def listen(self) -> Iterator[asyncio.Event]:
        """Provide an event of the running loop; ``set`` sets it, the listener clears it."""
        entry = (asyncio.get_running_loop(), asyncio.Event())
        self._waiting.add(entry)
        try:
            yield entry[1]
        finally:
            self._waiting.discard(entry)

    @property
    def listeners(self) -> int:
        """Return the number of listeners."""
        return len(self._waiting)


async def run_on(loop: LoopThread, work: Callable[[], Awaitable[T]]) -> T:
    """Return the result of *work*, run on *loop*; cancelling cancels it there, too."""

    async def run() -> T:
        return await work()

    return await asyncio.wrap_future(loop.start(run()))


async def iterate_on(loop: LoopThread, values: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """Yield the items of *values*, run on *loop*; closing closes it there."""
    own_loop = asyncio.get_running_loop()
    received: asyncio.Queue[tuple[T] | None] = asyncio.Queue()

    async def pump() -> None:
        try:
            async with aclosing(values):
                async for value in values:
                    call_on(own_loop, received.put_nowait, (value,))
        finally:
            call_on(own_loop, received.put_nowait, None)

    pumping = loop.start(pump())
    try:
        while (value := await received.get()) is not None:
            yield value[0]
        await asyncio.wrap_future(pumping)
    finally:
        pumping.cancel()


K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A least-recently-used cache for values of at most *room* in total size; thread-safe.

    *size* returns the size of a value, given its key; by default each counts 1. A value larger than *room* is not kept.
    """

    def __init__(self, room: int, size: Callable[[K], int] = lambda _: 1) -> None:
        self._room = room
        self._taken = 0
        self._size = size
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Return the value under *key* and mark it as used, or None."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: K, value: V) -> None:
        """Store *value* under *key*, replacing an earlier one."""
        size = self._size(key)
        if size > self._room:
            return
        with self._lock:
            if key not in self._kept:
                self._taken += size
            self._kept[key] = value
            self._kept.move_to_end(key)
            while self._taken > self._room:
                oldest, _ = self._kept.popitem(last=False)
                self._taken -= self._size(oldest)
