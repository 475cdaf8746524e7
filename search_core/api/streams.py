"""A stream of server-sent events: it ends with the client, with the server or with the last event."""

from __future__ import annotations

import asyncio
import json
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any, TypeVar

import anyio
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from search_core.answers.chat import AnswerJob
from search_core.api.connections import abort_connection
from search_core.api.problems import NO_STORE, ApiError, internal_error, problem_of, stopping_error
from search_core.api.serializers import run_event_body
from search_core.api.stopping import Stopping, StreamRules
from search_core.domain import AnswerDone, AnswerEvent, MessageState
from search_core.errors import MaekrakError

logger = logging.getLogger(__name__)

_LINE = "\n"

Body = Mapping[str, Any]
T = TypeVar("T")


class ReaderFrozenError(TimeoutError):
    """Says that a client reads nothing any more."""


class EventStream(Response, ABC):
    """Sends a stream of *events*, each of which has a number, by its rules; subclasses say how."""

    def __init__(self, events: AsyncGenerator[tuple[int, Any]], rules: StreamRules) -> None:
        self._events = events
        self._rules = rules
        self._queue: asyncio.Queue[tuple[int, Any] | ApiError | None] = asyncio.Queue()
        """What is to be sent; last None, or why there is no more."""
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

    async def _listen(self) -> None:
        """Collect what is to be sent, while ``_send`` runs."""
        try:
            async with aclosing(self._events) as events:
                async for numbered_event in events:
                    self._queue.put_nowait(numbered_event)
        except MaekrakError as error:
            self._queue.put_nowait(problem_of(error))
        except Exception:  # the client is told that the stream ends, whatever broke it
            logger.exception("The events of a stream could not be read any more")
            self._queue.put_nowait(internal_error())
        else:
            self._queue.put_nowait(None)

    @abstractmethod
    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the whole answer; *send* raises ReaderFrozenError."""

    def _on_end(self) -> None:
        """Clean up when nothing more is sent."""

    async def _await_stop(self) -> None:
        await self._rules.stopping.wait()
        self._queue.put_nowait(stopping_error())  # ``_send`` goes on to the last event
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


INTERRUPTED = "interrupted"
"""Name of the event that ends a stream before its run; it has no number."""
AGAIN_MS = 3000
"""Milliseconds after which a client whose stream was interrupted may connect again."""


class RunStream(EventStream):
    """Sends the *events* of a run, after whose numbers a client can ask to go on; with *run_id* number 0 names the run first."""

    def __init__(
        self, events: AsyncGenerator[tuple[int, Any]], rules: StreamRules, *, run_id: str = "", location: str = ""
    ) -> None:
        super().__init__(events, rules)
        self._run_id = run_id
        self._location = location

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {"Location": self._location} if self._location else None
        await self._send_events(self._sse_events(), scope, receive, send, headers)

    async def _sse_events(self) -> AsyncGenerator[ServerSentEvent]:
        if self._run_id:
            yield sse_event({"type": "run", "id": self._run_id}, number=0, name="run")
        while not isinstance(item := await self._queue.get(), ApiError | None):
            number, event = item
            body = run_event_body(event)
            yield sse_event(body, number=number, name=body["type"])
        if item is not None:
            body = {"type": INTERRUPTED, "cause": item.kind, "message": str(item), "korean": item.korean}
            yield sse_event(body, name=INTERRUPTED, retry_ms=AGAIN_MS)


SETTLES_S = 3.0
"""How long the last event waits for the answer to be stored."""
BROKEN_OFF = "The answer ended unexpectedly; what was sent before stays."

BodyOf = Callable[[AnswerEvent], Body | None]
"""Returns what is sent of an event; None sends nothing."""


class AnswerStream(EventStream):
    """Sends the events of *job* as *body_of* writes them, and its end; a job whose client leaves is stopped.

    With *waits_for_first* the response begins with the first event that is written: an error that comes first is sent as plain
    JSON, as is all that ends the job before it.
    """

    def __init__(self, job: AnswerJob, body_of: BodyOf, rules: StreamRules, *, waits_for_first: bool) -> None:
        super().__init__(job.follow(), rules)
        self._job = job
        self._body_of = body_of
        self._waits_for_first = waits_for_first

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
        while not isinstance(item := await self._queue.get(), ApiError | None):
            _, event = item
            body = self._body_of(event)
            if isinstance(event, AnswerDone):
                timings = body or {}
            elif body is not None:
                yield body
        if item is not None:
            yield {"type": "error", "message": str(item), "korean": item.korean}
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
