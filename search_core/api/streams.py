"""A stream of server-sent events: it ends with the client, with the server or with the last event."""

from __future__ import annotations

import json
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from search_core.api.cancel_on_disconnect import ClientDisconnectedError
from search_core.api.connections import abort_connection
from search_core.api.rules import StreamRules

if TYPE_CHECKING:
    pass

logger = logging.getLogger(__name__)

_LINE = "\n"

Body = Mapping[str, Any]
T = TypeVar("T")


class ReaderFrozenError(TimeoutError):
    """Says that a client reads nothing any more."""


class EventStream(Response, ABC):
    """Sends a stream by its rules; subclasses say what is sent."""

    def __init__(self, rules: StreamRules) -> None:
        self._rules = rules
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream; where it cannot be sent any more, the connection is cut."""
        try:
            async with anyio.create_task_group() as beside:
                beside.start_soon(self._listen)
                beside.start_soon(self._await_stop)
                await self._send(scope, receive, send_within(send, self._rules.send_s))
                beside.cancel_scope.cancel()
        except* ReaderFrozenError:
            logger.info("A stream of the API was cut off: its client read nothing any more")
            await abort_connection(self._rules.stopping.server, scope)
        except* ClientDisconnectedError:
            pass
        finally:
            self._on_end()

    @abstractmethod
    async def _listen(self) -> None:
        """Collect what is to be sent, while ``_send`` runs."""

    @abstractmethod
    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the whole answer; *send* raises ReaderFrozenError."""

    @abstractmethod
    def _stop(self) -> None:
        """Let ``_send`` go on to the last event: the server stops."""

    def _on_end(self) -> None:
        """Clean up when nothing more is sent."""

    async def _await_stop(self) -> None:
        await self._rules.stopping.wait()
        self._stop()
        await anyio.sleep(self._rules.farewell_s)
        raise ReaderFrozenError

    async def _send_events(
        self,
        events: AsyncGenerator[ServerSentEvent],
        scope: Scope,
        receive: Receive,
        send: Send,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        await EventSourceResponse(events, headers=headers, ping=self._rules.ping_s, sep=_LINE)(scope, receive, send)


def sse_event(body: Body, *, number: int | None = None, name: str | None = None, retry_ms: int | None = None) -> ServerSentEvent:
    """Return *body* as an event; a client that connects again may begin after its *number*."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False)
    return ServerSentEvent(text, id=None if number is None else str(number), event=name, retry=retry_ms, sep=_LINE)


async def prepend(first: T, others: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """Yield *first* and then *others*, which are closed with it."""
    async with aclosing(others):
        yield first
        async for each in others:
            yield each


def send_within(send: Send, within_s: float) -> Send:
    """Return a *send* that raises ReaderFrozenError when a client takes nothing for so long."""

    async def send_in_time(message: AsgiMessage) -> None:
        try:
            with anyio.fail_after(within_s):
                await send(message)
        except TimeoutError:
            raise ReaderFrozenError from None

    return send_in_time
