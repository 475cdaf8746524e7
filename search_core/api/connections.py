"""Ends connections that would stay open for ever: the client reads nothing, sends no whole head, or a body that is not read.

ASGI has no messages for this, and uvicorn bounds none of it; so its connections are looked at from outside.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from anyio.lowlevel import checkpoint

if TYPE_CHECKING:
    from starlette.types import Scope
    from uvicorn import Server

logger = logging.getLogger(__name__)

HEAD_S = 10.0
"""Seconds within which a request's head has to arrive; uvicorn itself ends connections that lie still for five."""
LINGER_S = 2.0
"""Seconds for which a body goes on being taken after its request was answered, so that its sender gets to read the answer."""
_LOOK_S = 1.0


async def abort_connection(server: Server | None, scope: Scope) -> None:
    """Cut the connection on which the request of *scope* came, whatever is still to be sent; without a *server* do nothing.

    uvicorn gives each request a ``state`` of its own, the same one through routes and middleware.
    """
    state = scope.get("state")
    if server is None or state is None:
        return
    for connection in tuple(server.server_state.connections):
        if (getattr(connection, "scope", None) or {}).get("state") is state:
            connection.transport.abort()
            await checkpoint()  # in which the connection learns that it is lost


@asynccontextmanager
async def watch_connections(server: Server | None) -> AsyncIterator[None]:
    """Close connections of *server* on which nothing is answered for too long while the block runs; without one do nothing."""
    if server is None:
        yield
        return
    watch = ConnectionWatch(server)
    looking = asyncio.create_task(watch.run(), name="watch-connections")
    try:
        yield
    finally:
        looking.cancel()


class ConnectionWatch:
    """Looks at the connections of a server again and again, on its event loop."""

    def __init__(self, server: Server, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._server = server
        self._monotonic = monotonic
        self._unanswering: dict[Any, tuple[Any, float]] = {}
        """Connections on which no request is being answered, each with its last request and the time since when."""

    async def run(self) -> None:
        """Look for ever."""
        while True:
            self.look()
            await asyncio.sleep(_LOOK_S)

    def look(self) -> None:
        """Close the connections that have been without a request to answer for too long."""
        now = self._monotonic()
        before, self._unanswering = self._unanswering, {}
        for connection in tuple(self._server.server_state.connections):
            if not hasattr(connection, "cycle"):  # a websocket
                continue
            last: Any = connection.cycle
            if last is not None and not last.response_complete:
                continue
            known, since = before.get(connection, (last, now))
            since = since if known is last else now
            if now - since >= (LINGER_S if last is not None and last.more_body else HEAD_S):
                logger.info("A connection was closed: no whole request came on it")
                connection.transport.close()  # what is still to be sent is sent; nothing more is read
            else:
                self._unanswering[connection] = last, since
