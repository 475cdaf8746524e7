"""Processes that use one folder at once: ``python processes_at_once.py FOLDER PROCESSES THREADS``.

One process imports the app once and forks the others. Each thread keeps an answer, an event and a vector of its own and one video
that all share, twenty times, and reads what it has just written; what goes wrong ends its process with 1.
"""

from __future__ import annotations

import os
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from search_core.domain import SearchEvent, SearchResult, SearchStatus, VideoContext
from search_core.storage import DiskReplyCache, SqliteEventLog, VectorCache, VideoStore

ROUNDS = 20
PATIENT_S = 60.0
VIDEO = VideoContext(video_id="shared", title="함께 쓰는 영상", description="맥락 " * 2000)


def work(folder: Path, name: str) -> None:
    replies, log = DiskReplyCache(folder, patience_s=PATIENT_S), SqliteEventLog(folder / "events.sqlite", patience_s=PATIENT_S)
    vectors, videos = VectorCache(folder), VideoStore(folder / "videos")
    for number in range(ROUNDS):
        key = f"{name}-{number}"
        hit = SearchResult(title=key, url="https://example.org/", snippet=key, source="example.org")
        replies.put(key, SearchStatus.SUCCESS, (hit,), 3600)
        kept = replies.get(key)
        assert kept is not None
        assert kept.results == (hit,)
        common = {"status": SearchStatus.SUCCESS, "result_count": 1, "provider": "p", "latency_ms": 1.0}
        log.append([SearchEvent(query=key, timestamp=datetime.now(UTC), **common)])
        vectors.put_many("model", [key], np.full((1, 8), number, np.float32))
        assert vectors.get_many("model", [key])[0].tolist() == [number] * 8
        opened = videos.open(videos.keep(VIDEO, "me"), "me")
        assert opened == VIDEO
    log.close()
    replies.close()


def start(folder: Path, name: str, threads: int) -> int:
    """Return the id of a new process that works and exits."""
    process = os.fork()
    if process:
        return process
    try:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda thread: work(folder, f"{name}-{thread}"), range(threads)))
        os._exit(0)
    finally:
        traceback.print_exc()
        os._exit(1)


if __name__ == "__main__":
    folder, processes, threads = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    running = [start(folder, str(number), threads) for number in range(processes)]
    outcomes = [os.waitpid(process, 0)[1] for process in running]
    sys.exit(any(outcomes))
