from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from search_core.storage.bounded_worker import BoundedWorker


def test_callers_wait_in_line_while_work_is_done():
    """Ten callers at once all get their result, though the last waits longer than its patience: those before it are served."""
    worker = BoundedWorker("test", 0.5, 30)
    never = threading.Event()
    with ThreadPoolExecutor(10) as callers:
        results = [callers.submit(worker.call, lambda: never.wait(0.1)) for _ in range(10)]
    assert [result.result() for result in results] == [False] * 10
    worker.close()
