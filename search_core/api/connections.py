"""Ends connections whose client reads nothing: the server would wait for ever to send the last bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyio.lowlevel import checkpoint

if TYPE_CHECKING:
    from starlette.types import Scope
    from uvicorn import Server


async def abort_connection(server: Server | None, scope: Scope) -> None:
    """Cut the connection on which the request of *scope* came, whatever is still to be sent; without a *server* do nothing.

    ASGI has no message for this. uvicorn gives each request a ``state`` of its own, the same one through routes and middleware.
    """
    state = scope.get("state")
    if server is None or state is None:
        return
    for connection in tuple(server.server_state.connections):
        if (getattr(connection, "scope", None) or {}).get("state") is state:
            connection.transport.abort()
            await checkpoint()  # in which the connection learns that it is lost
