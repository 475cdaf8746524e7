"""An answer as a stream of server-sent events: sent as it is written, ended with the client, the server or the answer."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from enum import Enum
from typing import TYPE_CHECKING, Any

import anyio
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from search_core.api.presence import ClientGoneError, ServerStoppingError, while_present
from search_core.api.problems import NO_STORE, STOPPING, STOPPING_KOREAN, ApiError, stopping
from search_core.api.rules import StreamRules
from search_core.domain import AnswerDone, AnswerEvent, MessageState

if TYPE_CHECKING:
    from search_core.chat import AnswerJob

logger = logging.getLogger(__name__)

SETTLES_S = 3.0
"""So long the last word waits for the answer to be stored."""
BROKEN_OFF = "The answer ended unexpectedly; what was told before stands."
_LINE = "\n"

Body = dict[str, Any]
Telling = Callable[[AnswerEvent], Body | None]
"""Says what is told of an event; None tells nothing."""


class _End(Enum):
    ANSWER = 1
    SERVER = 2


class ReaderFrozenError(TimeoutError):
    """Says that a client takes nothing any more."""


class AnswerStream(Response):
    """Sends what *job* tells, in the words of *tell*, and its end; a job whose client leaves is stopped.

    With *held* the answer begins when there is something to tell: an error that comes first is sent as plain JSON, as is all that
    ends the job before anything was told.
    """

    def __init__(self, job: AnswerJob, tell: Telling, rules: StreamRules, *, held: bool) -> None:
        self._job = job
        self._tell = tell
        self._rules = rules
        self._held = held
        self._queue: asyncio.Queue[AnswerEvent | _End] = asyncio.Queue()
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            async with anyio.create_task_group() as beside:
                beside.start_soon(self._listen)
                beside.start_soon(self._await_stop)
                await self._send(scope, receive, _bounded(send, self._rules.send_s))
                beside.cancel_scope.cancel()
        except* ReaderFrozenError:
            logger.info("A stream of the API was given up: its client took nothing for %.0f s", self._rules.send_s)
        except* ClientGoneError:
            pass
        finally:
            self._job.cancel()

    async def _listen(self) -> None:
        async with aclosing(self._job.follow()) as events:
            async for _, event in events:
                self._queue.put_nowait(event)
        self._queue.put_nowait(_End.ANSWER)

    async def _await_stop(self) -> None:
        await self._rules.stopping.wait()
        self._queue.put_nowait(_End.SERVER)

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        bodies = self._bodies()
        if self._held:
            first = await self._first(bodies, receive)
            if first is None:
                await stopping().response()(scope, receive, send)
                return
            if first["type"] == "error":
                async for _ in bodies:  # what was told is stored before the answer is sent
                    pass
                await self._refusal(first)(scope, receive, send)
                return
            bodies = _preceded(first, bodies)
        await EventSourceResponse(_events(bodies), ping=self._rules.ping_s, sep=_LINE)(scope, receive, send)

    async def _first(self, bodies: AsyncGenerator[Body], receive: Receive) -> Body | None:
        try:
            first = await while_present(lambda: anext(bodies), receive, self._rules.stopping)
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
            body = self._tell(event)
            if isinstance(event, AnswerDone):
                timings = body or {}
            elif body is not None:
                yield body
        if event is _End.SERVER:
            yield {"type": "error", "message": STOPPING, "korean": STOPPING_KOREAN}
            yield self._done(timings, MessageState.STOPPED)
            return
        await run_in_threadpool(self._job.wait, SETTLES_S)
        message = self._job.snapshot()
        if message.state is MessageState.FAILED:
            yield {"type": "error", "message": BROKEN_OFF, "korean": message.record.error if message.record else ""}
        yield self._done(timings, message.state)

    def _done(self, timings: Body, state: MessageState) -> Body:
        ids = {"session_id": self._job.conversation_id, "message_id": self._job.id}
        return {**timings, "type": "done", **ids, "state": state.value}


async def _preceded(first: Body, others: AsyncGenerator[Body]) -> AsyncGenerator[Body]:
    yield first
    async for body in others:
        yield body


async def _events(bodies: AsyncGenerator[Body]) -> AsyncGenerator[ServerSentEvent]:
    number = 0
    async for body in bodies:
        number += 1
        yield ServerSentEvent(json.dumps(body, ensure_ascii=False, allow_nan=False), id=str(number), sep=_LINE)


def _bounded(send: Send, within_s: float) -> Send:
    async def send_in_time(message: AsgiMessage) -> None:
        try:
            with anyio.fail_after(within_s):
                await send(message)
        except TimeoutError:
            raise ReaderFrozenError from None

    return send_in_time
