"""``worker`` and ``mcp``: processes that serve until they are stopped, runs to work on or tools for agents."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import threading
from contextlib import closing

from search_core.core import SearchCore
from search_core.errors import MaekrakError
from search_core.settings import Settings

logger = logging.getLogger(__name__)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Serve until SIGTERM, an interrupt or the end of standard input; other processes go on with unfinished runs."""
    with closing(SearchCore.from_settings(settings)) as core:
        if args.command == "worker":
            for room in ("runs", "research", "checking"):  # their log is all that is seen of a worker
                logging.getLogger(f"search_core.{room}").setLevel(logging.INFO)
            ended = threading.Event()
            signal.signal(signal.SIGTERM, lambda *_: ended.set())
            core.work_on_runs().research.open()
            core.warm_up()
            print("조사와 영상 확인을 기다리고 있어요. 끝내려면 Ctrl+C를 누르세요.", flush=True)
            ended.wait()
        else:
            from search_core.agents.server import serve_stdio  # the protocol takes a second to import

            asyncio.run(serve_stdio(core, lambda: _get_ready(core)))
    return 0


def _get_ready(core: SearchCore) -> None:
    """Load what is slow, and resume research that an ended process left."""
    core.warm_up()
    try:
        core.research.open()
    except MaekrakError as error:
        logger.error("Research is not ready: %s", error)  # said again to whoever asks for it
