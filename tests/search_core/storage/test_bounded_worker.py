from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from search_core.storage.bounded_worker import BoundedWorker, WorkerBusyError


def test_the_result_and_the_error_of_the_work_come_back():
    """What the work returns or raises reaches the caller."""
    worker = BoundedWorker("test", 5)
    assert worker.call(lambda: 7) == 7
    with pytest.raises(KeyError):
        worker.call(lambda: {}["x"])
    worker.close()


def test_slow_work_is_not_waited_for():
    """The caller gets away after its patience, later callers at once, and all is well when the work is over."""
    worker = BoundedWorker("test", 0.5)
    gate = threading.Event()
    with pytest.raises(WorkerBusyError):
        worker.call(gate.wait)
    began = time.monotonic()
    with pytest.raises(WorkerBusyError):
        worker.call(lambda: 1)
    assert time.monotonic() - began < 0.4
    gate.set()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            assert worker.call(lambda: 2) == 2
            break
        except WorkerBusyError:
            continue
    else:
        pytest.fail("the worker stayed stuck")
    worker.close()


def test_callers_wait_in_line_while_work_is_done():
    """Ten callers at once all get their result, though the last waits longer than its patience: those before it are served."""
    worker = BoundedWorker("test", 0.5, 30)
    never = threading.Event()
    with ThreadPoolExecutor(10) as callers:
        results = [callers.submit(worker.call, lambda: never.wait(0.1)) for _ in range(10)]
    assert [result.result() for result in results] == [False] * 10
    worker.close()


def test_a_closed_worker_works_again():
    """Closing ends the thread; a later call begins a new one."""
    worker = BoundedWorker("test", 5)
    first = worker.call(threading.get_ident)
    worker.close()
    assert isinstance(first, int)
    assert worker.call(lambda: "again") == "again"
    worker.close()
