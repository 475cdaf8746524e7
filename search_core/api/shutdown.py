"""How long a server that stops waits for requests under way."""

from __future__ import annotations

import signal

GRACE_S = 5
"""Seconds; without a limit, a client that reads nothing would hold the server for ever."""


def limit_shutdown() -> None:
    """Have uvicorn wait for ``GRACE_S`` at most, unless it was started with a limit: Streamlit, which starts it, has no setting.

    uvicorn installs its signal handlers before the lifespan begins; they are all that leads to it.
    """
    from uvicorn import Server

    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    if isinstance(server, Server) and server.config.timeout_graceful_shutdown is None:
        server.config.timeout_graceful_shutdown = GRACE_S
