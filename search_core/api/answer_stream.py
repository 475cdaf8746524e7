"""An answer as a stream: it ends with its client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from enum import Enum

from sse_starlette import ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from search_core.api.cancel_on_disconnect import ServerStoppingError, cancel_on_disconnect
from search_core.api.problems import NO_STORE, STOPPING, STOPPING_KOREAN, ApiError, stopping_error
from search_core.api.rules import StreamRules
from search_core.api.streams import Body, EventStream, prepend, sse_event
from search_core.chat import AnswerJob
from search_core.domain import AnswerDone, AnswerEvent, MessageState

SETTLES_S = 3.0
"""How long the last event waits for the answer to be stored."""
BROKEN_OFF = "The answer ended unexpectedly; what was sent before stays."

BodyOf = Callable[[AnswerEvent], Body | None]
"""Returns what is sent of an event; None sends nothing."""


class _End(Enum):
    ANSWER = 1
    SERVER = 2


class AnswerStream(EventStream):
    """Sends the events of *job* as *body_of* writes them, and its end; a job whose client leaves is stopped.

    With *waits_for_first* the response begins with the first event that is written: an error that comes first is sent as plain
    JSON, as is all that ends the job before it.
    """

    def __init__(self, job: AnswerJob, body_of: BodyOf, rules: StreamRules, *, waits_for_first: bool) -> None:
        super().__init__(rules)
        self._job = job
        self._body_of = body_of
        self._waits_for_first = waits_for_first
        self._queue: asyncio.Queue[AnswerEvent | _End] = asyncio.Queue()

    async def _listen(self) -> None:
        async with aclosing(self._job.follow()) as events:
            async for _, event in events:
                self._queue.put_nowait(event)
        self._queue.put_nowait(_End.ANSWER)

    def _stop(self) -> None:
        self._queue.put_nowait(_End.SERVER)

    def _on_end(self) -> None:
        self._job.cancel()

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        bodies = self._bodies()
        if self._waits_for_first:
            first = await self._first(bodies, receive)
            if first is None:
                await stopping_error().response()(scope, receive, send)
                return
            if first["type"] == "error":
                async for _ in bodies:  # the answer is stored before the refusal is sent
                    pass
                await self._refusal(first)(scope, receive, send)
                return
            bodies = prepend(first, bodies)
        await self._send_events(_number_events(bodies), scope, receive, send)

    async def _first(self, bodies: AsyncGenerator[Body], receive: Receive) -> Body | None:
        try:
            first = await cancel_on_disconnect(lambda: anext(bodies), receive, self._rules.stopping)
        except ServerStoppingError:
            return None
        return None if self._rules.stopping.begun else first

    def _refusal(self, first: Body) -> Response:
        if "failure" not in first:
            return ApiError(500, "failed", first["message"], first["korean"]).response()
        return JSONResponse({**first, "session_id": self._job.conversation_id}, headers=NO_STORE)

    async def _bodies(self) -> AsyncGenerator[Body]:
        timings: Body = {}
        while not isinstance(event := await self._queue.get(), _End):
            body = self._body_of(event)
            if isinstance(event, AnswerDone):
                timings = body or {}
            elif body is not None:
                yield body
        if event is _End.SERVER:
            yield {"type": "error", "message": STOPPING, "korean": STOPPING_KOREAN}
            yield self._end_body(timings, MessageState.STOPPED)
            return
        await run_in_threadpool(self._job.wait, SETTLES_S)
        message = self._job.snapshot()
        if message.state is MessageState.FAILED:
            yield {"type": "error", "message": BROKEN_OFF, "korean": message.record.error if message.record else ""}
        yield self._end_body(timings, message.state)

    def _end_body(self, timings: Body, state: MessageState) -> Body:
        ids = {"session_id": self._job.conversation_id, "message_id": self._job.id}
        return {**timings, "type": "done", **ids, "state": state.value}


async def _number_events(bodies: AsyncGenerator[Body]) -> AsyncGenerator[ServerSentEvent]:
    number = 0
    async for body in bodies:
        number += 1
        yield sse_event(body, number=number)
