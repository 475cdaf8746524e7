"""Work for a client that may leave, on a server that may stop, before it is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from starlette.types import Receive

from search_core.api.stopping import Stopping

T = TypeVar("T")


class ClientDisconnectedError(Exception):
    """Raised when the client has left before its answer."""


class ServerStoppingError(Exception):
    """Says that the server ends before the answer is there."""


async def cancel_on_disconnect(work: Callable[[], Awaitable[T]], receive: Receive, stopping: Stopping) -> T:
    """Return what *work* returns; it is cancelled when the client leaves or the server stops.

    Raises ClientDisconnectedError, ServerStoppingError and what *work* raises. *receive* is of a request whose body was read.
    """
    results: list[T] = []

    async def finish() -> None:
        results.append(await work())
        group.cancel_scope.cancel()

    async def await_client() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        raise ClientDisconnectedError

    async def await_server() -> None:
        await stopping.wait()
        raise ServerStoppingError

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(finish)
            group.start_soon(await_client)
            group.start_soon(await_server)
    except* Exception as errors:  # noqa: BLE001  one of them is raised
        if not results:
            raise errors.exceptions[0] from None
    return results[0]
