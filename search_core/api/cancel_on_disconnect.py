"""Work for a client that may leave, on a server that may stop, before it is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

import anyio
from starlette.types import Receive

from search_core.api.stopping import Stopping

T = TypeVar("T")


class ClientGoneError(Exception):
    """Says that nobody waits for the answer any more."""


class ServerStoppingError(Exception):
    """Says that the server ends before the answer is there."""


class _First(Generic[T]):
    """Takes the first end that comes."""

    def __init__(self, scope: anyio.CancelScope) -> None:
        self._scope = scope
        self.results: list[T] = []
        self.problems: list[Exception] = []

    async def work(self, work: Callable[[], Awaitable[T]]) -> None:
        self.results.append(await work())
        self._scope.cancel()

    async def client(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.problems.append(ClientGoneError())
        self._scope.cancel()

    async def server(self, stopping: Stopping) -> None:
        await stopping.wait()
        self.problems.append(ServerStoppingError())
        self._scope.cancel()


async def cancel_on_disconnect(work: Callable[[], Awaitable[T]], receive: Receive, stopping: Stopping) -> T:
    """Return what *work* returns; it is cancelled when the client leaves or the server stops.

    Raises ClientGoneError, ServerStoppingError and what *work* raises. *receive* is of a request whose body was read.
    """
    try:
        async with anyio.create_task_group() as group:
            first = _First[T](group.cancel_scope)
            group.start_soon(first.work, work)
            group.start_soon(first.client, receive)
            group.start_soon(first.server, stopping)
    except* Exception as errors:  # noqa: BLE001  one of them is raised
        raise errors.exceptions[0] from None
    if first.results:
        return first.results[0]
    raise first.problems[0]
