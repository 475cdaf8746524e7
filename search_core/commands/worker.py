"""``worker``: a process that only works on runs of research and checks of videos, until it is stopped."""

from __future__ import annotations

import argparse
import logging
import signal
import threading
from contextlib import closing

from search_core.core import SearchCore
from search_core.settings import Settings


def run(_: argparse.Namespace, settings: Settings) -> int:
    """Work on runs until SIGTERM or an interrupt; unfinished work is left to other processes."""
    for room in ("runs", "research", "claims"):  # their log is all that is seen of a worker
        logging.getLogger(f"search_core.{room}").setLevel(logging.INFO)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    with closing(SearchCore.from_settings(settings)) as core:
        core.work_on_runs().research.open()
        core.warm_up()
        print("조사와 영상 확인을 기다리고 있어요. 끝내려면 Ctrl+C를 누르세요.", flush=True)
        ended.wait()
    return 0
