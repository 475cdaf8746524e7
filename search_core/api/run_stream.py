"""A run as a stream: it goes on without its client, who may come again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from sse_starlette import ServerSentEvent
from starlette.types import Receive, Scope, Send

from search_core.api.problems import ApiError, internal_error, problem_of, stopping_error
from search_core.api.rules import StreamRules
from search_core.api.streams import EventStream, sse_event
from search_core.errors import MaekrakError

logger = logging.getLogger(__name__)

INTERRUPTED = "interrupted"
"""Name of the event that ends a stream before its run; it has no number."""
AGAIN_MS = 3000
"""Milliseconds after which a client whose stream was interrupted may connect again."""

Events = AsyncGenerator[tuple[int, Any]]
"""Events of a run, each with its number, after which a client can ask to go on."""


class RunStream(EventStream):
    """Sends *events* with their numbers, each as *event_body* has it; where *run_id* is given, number 0 names the run first."""

    def __init__(
        self,
        events: Events,
        event_body: Callable[[Any], dict[str, Any]],
        rules: StreamRules,
        *,
        run_id: str = "",
        location: str = "",
    ) -> None:
        super().__init__(rules)
        self._events = events
        self._event_body = event_body
        self._run_id = run_id
        self._location = location
        self._queue: asyncio.Queue[tuple[int, Any] | ApiError | None] = asyncio.Queue()

    async def _listen(self) -> None:
        try:
            async with aclosing(self._events) as events:
                async for numbered_event in events:
                    self._queue.put_nowait(numbered_event)
        except MaekrakError as error:
            self._queue.put_nowait(problem_of(error))
        except Exception:  # the client is told that the stream ends, whatever broke it
            logger.exception("The events of a run could not be read any more; the run goes on")
            self._queue.put_nowait(internal_error())
        else:
            self._queue.put_nowait(None)

    def _stop(self) -> None:
        self._queue.put_nowait(stopping_error())

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {"Location": self._location} if self._location else None
        await self._send_events(self._sse_events(), scope, receive, send, headers)

    async def _sse_events(self) -> AsyncGenerator[ServerSentEvent]:
        if self._run_id:
            yield sse_event({"type": "run", "id": self._run_id}, number=0, name="run")
        while not isinstance(item := await self._queue.get(), ApiError | None):
            number, event = item
            body = self._event_body(event)
            yield sse_event(body, number=number, name=body["type"])
        if item is not None:
            body = {"type": INTERRUPTED, "cause": item.kind, "message": str(item), "korean": item.korean}
            yield sse_event(body, name=INTERRUPTED, retry_ms=AGAIN_MS)
