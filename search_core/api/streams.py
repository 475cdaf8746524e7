"""A stream of server-sent events: sent as they come, ended with the client, the server or the last of them."""

from __future__ import annotations

import json
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import anyio
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from search_core.api.cancel_on_disconnect import ClientGoneError
from search_core.api.connections import cut
from search_core.api.rules import StreamRules

logger = logging.getLogger(__name__)

_LINE = "\n"

Body = Mapping[str, Any]


class ReaderFrozenError(TimeoutError):
    """Says that a client takes nothing any more."""


class EventStream(Response, ABC):
    """Sends a stream by its rules; what it tells, and from where that comes, is for its kinds to say."""

    def __init__(self, rules: StreamRules) -> None:
        self._rules = rules
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream; one that cannot be sent any more is cut off."""
        try:
            async with anyio.create_task_group() as beside:
                beside.start_soon(self._listen)
                beside.start_soon(self._await_stop)
                await self._send(scope, receive, _bounded(send, self._rules.send_s))
                beside.cancel_scope.cancel()
        except* ReaderFrozenError:
            logger.info("A stream of the API was given up: its client took nothing any more")
            await cut(self._rules.stopping.server, scope)
        except* ClientGoneError:
            pass
        finally:
            self._left()

    @abstractmethod
    async def _listen(self) -> None:
        """Take in what there is to tell, beside ``_send``."""

    @abstractmethod
    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the whole answer; *send* raises ReaderFrozenError."""

    @abstractmethod
    def _stop(self) -> None:
        """Go on to the last word: the server ends."""

    def _left(self) -> None:
        """Do what is left to do when nothing more is sent."""

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


def sent_event(body: Body, *, number: int | None = None, name: str | None = None, retry_ms: int | None = None) -> ServerSentEvent:
    """Return *body* as an event; *number* is what a client that comes again may begin after."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False)
    return ServerSentEvent(text, id=None if number is None else str(number), event=name, retry=retry_ms, sep=_LINE)


def _bounded(send: Send, within_s: float) -> Send:
    async def send_in_time(message: AsgiMessage) -> None:
        try:
            with anyio.fail_after(within_s):
                await send(message)
        except TimeoutError:
            raise ReaderFrozenError from None

    return send_in_time
