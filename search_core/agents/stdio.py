"""The server over standard input and output, for the agent of this machine's user."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from search_core.agents.server import create_server
from search_core.runtime import run_in_thread

if TYPE_CHECKING:
    from search_core.core import SearchCore

GREETING_S = 1.0
"""Left to the first messages: loading the language tools holds Python's lock, and clients wait some seconds for a greeting."""


def serve_stdio(core: SearchCore, get_ready: Callable[[], object]) -> None:
    """Answer messages until standard input ends, or SIGTERM or SIGINT comes; standard output bears messages alone.

    *get_ready* loads what is slow; it is called on a thread of its own when the client has been greeted.
    """
    asyncio.run(_serve(core, get_ready))


async def _serve(core: SearchCore, get_ready: Callable[[], object]) -> None:
    server = create_server(lambda: core, lambda _: "")
    loop, this = asyncio.get_running_loop(), asyncio.current_task()
    assert this is not None
    loop.call_later(GREETING_S, run_in_thread, get_ready, "agent-ready")
    if sys.platform != "win32":  # where loops take no signals, these end the process as they do
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, this.cancel)
    with suppress(asyncio.CancelledError):
        await server.run_stdio_async()
