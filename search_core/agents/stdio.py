"""The server over standard input and output, for the agent of this machine's user."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from mcp.server.stdio import stdio_server

from search_core.agents.calls import Caller
from search_core.agents.server import create_server
from search_core.runtime import call_on, run_in_thread

if TYPE_CHECKING:
    from search_core.core import SearchCore

GREETING_S = 1.0
"""Left to the first messages: loading the language tools holds Python's lock, and clients wait some seconds for a greeting."""
USER = Caller(may_read_files=True)
"""Whoever starts the process may read this machine's files anyway."""


def serve_stdio(core: SearchCore, get_ready: Callable[[], object]) -> None:
    """Answer messages until standard input ends, or SIGTERM or SIGINT comes; standard output bears messages alone.

    *get_ready* loads what is slow; it is called on a thread of its own when the client has been greeted.
    """
    asyncio.run(_serve(core, get_ready))


async def _serve(core: SearchCore, get_ready: Callable[[], object]) -> None:
    server = create_server(lambda: core, lambda _: USER)
    loop, this = asyncio.get_running_loop(), asyncio.current_task()
    assert this is not None
    loop.call_later(GREETING_S, run_in_thread, get_ready, "agent-ready")
    if sys.platform != "win32":  # where loops take no signals, these end the process as they do
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, this.cancel)
    lines = cast(Any, _Lines(_take_standard_input()))
    with suppress(asyncio.CancelledError):
        async with stdio_server(stdin=lines) as (received, sent):
            await server.run(received, sent, server.create_initialization_options())


def _take_standard_input() -> BinaryIO:
    """Return what the client writes to, and leave the null device in its place: no child process reads its messages."""
    private = os.dup(sys.stdin.fileno())
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, sys.stdin.fileno())
    os.close(null)
    return os.fdopen(private, "rb")


class _Lines:
    """Lines that a thread reads, which does not delay the end of the process: reading cannot be interrupted."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        threading.Thread(target=self._read, name="agent-stdin", daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError, ValueError):  # as good as its end
            for line in self._source:
                call_on(self._loop, self._queue.put_nowait, line.decode("utf-8", "replace"))
        call_on(self._loop, self._queue.put_nowait, None)

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._queue.get()) is not None:
            yield line
