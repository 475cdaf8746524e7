"""One thread that does slow work for callers who wait only shortly."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from search_core.runtime import fulfil

T = TypeVar("T")

_MAX_WAITING = 256
"""A stuck disk must not pile up work without end."""


class WorkerBusyError(Exception):
    """Says that the work was not done within the time the caller had."""


class BoundedWorker:
    """Runs calls one after the other in a daemon thread; the caller waits at most *patience_s* seconds for each.

    A call that takes longer goes on in the background. Until the thread is free again further callers are refused at once.
    While calls ahead of theirs are being finished, callers wait on, *in_line_s* seconds at most: many callers on a busy machine
    are no disk that hangs.
    """

    def __init__(self, name: str, patience_s: float, in_line_s: float = 0.0) -> None:
        self._name = name
        self._patience_s = patience_s
        self._in_line_s = max(patience_s, in_line_s)
        self._finished = 0
        self._calls: queue.Queue[tuple[Callable[[], Any], Future[Any]] | None] = queue.Queue(_MAX_WAITING)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stuck = threading.Event()

    def call(self, work: Callable[[], T]) -> T:
        """Return what *work* returns, or raise what it raises; raises WorkerBusyError when that takes too long."""
        if self._stuck.is_set():
            raise WorkerBusyError(f"{self._name} is still busy")
        future: Future[T] = Future()
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
        try:
            self._calls.put_nowait((work, future))
        except queue.Full:
            self._stuck.set()
            raise WorkerBusyError(f"{self._name} has too much to do") from None
        waiting_until = time.monotonic() + self._in_line_s
        while True:
            finished = self._finished
            try:
                return future.result(timeout=self._patience_s)
            except TimeoutError as error:
                in_line = self._finished != finished and not future.done()
                if in_line and time.monotonic() < waiting_until:
                    continue
                if not in_line:
                    self._give_up(future)
                future.cancel()
                raise WorkerBusyError(f"{self._name} did not finish within {self._patience_s:g} s") from error

    def _give_up(self, future: Future[Any]) -> None:
        self._stuck.set()
        if future.done() and not future.cancelled():  # finished just now: nobody else would say that the thread is free
            self._stuck.clear()

    def close(self) -> None:
        """Let the thread end after the work that waits; returns after a short wait at the latest."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None and not self._calls.full():
            self._calls.put_nowait(None)
            thread.join(self._patience_s)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            work, future = call
            if not future.set_running_or_notify_cancel():
                self._stuck.clear()
                continue
            try:
                fulfil(future, work)
            finally:
                self._finished += 1
                self._stuck.clear()
