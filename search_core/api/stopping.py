"""Tells open streams that the server stops, which would wait for them for ever."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any

from search_core.runtime import LoopSignal

if TYPE_CHECKING:
    from uvicorn import Server

GRACE_S = 5
"""Seconds a stopping server waits for requests under way; without a limit, a client that reads nothing would hold it for ever."""


class Stopping:
    """A signal that the server stops; any number of event loops may wait for it."""

    def __init__(self) -> None:
        self.begun = False
        self.server: Server | None = None
        """The server that ends; None where it is another than uvicorn."""
        self._sign = LoopSignal()

    def begin(self) -> None:
        """Signal that the server stops; takes no lock, so that a signal handler may call it."""
        self.begun = True
        self._sign.set()

    async def wait(self) -> None:
        """Return when the sign is given, at once when it was."""
        with self._sign.listen() as given:
            if not self.begun:
                await given.wait()

    @property
    def waiting(self) -> int:
        """Return how many wait for the sign now."""
        return self._sign.listeners

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Call ``begin`` at SIGTERM and SIGINT before their earlier handlers; does nothing outside the main thread.

        uvicorn installs its handlers before the lifespan begins, and waits for open streams before the lifespan ends: for GRACE_S
        at most from now on, unless it was started with a limit of its own. Streamlit, which starts it, has no setting for that.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        self.server = _server_of(before[signal.SIGTERM])
        if self.server is not None and self.server.config.timeout_graceful_shutdown is None:
            self.server.config.timeout_graceful_shutdown = GRACE_S

        def begin(number: int, frame: FrameType | None) -> None:
            self.begin()
            previous = before[signal.Signals(number)]
            if callable(previous):
                previous(number, frame)

        taken = [number for number, handler in before.items() if callable(handler)]
        for number in taken:
            signal.signal(number, begin)
        try:
            yield
        finally:
            for number in taken:
                if signal.getsignal(number) is begin:
                    signal.signal(number, before[number])


def _server_of(handler: Any) -> Server | None:
    """Return the server that *handler* is a method of; its handler is all that a uvicorn leaves where others find it."""
    from uvicorn import Server

    server = getattr(handler, "__self__", None)
    return server if isinstance(server, Server) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamRules:
    """Says how streams are sent, times in seconds."""

    stopping: Stopping = field(default_factory=Stopping)
    ping_s: float = 15.0
    """A comment is sent after this long without an event, so that no proxy takes the connection for dead."""
    send_s: float = 20.0
    """A client that reads nothing for this long is cut off."""
    farewell_s: float = 2.0
    """How long a stream may take to send its last event once the server is stopping."""
