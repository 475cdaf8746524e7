"""A stream of server-sent events: it ends with the client, with the server or with the last event."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any, TypeVar

import anyio
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from search_core.answers.chat import AnswerJob
from search_core.api.connections import abort_connection
from search_core.api.problems import NO_STORE, ApiError, internal_error, problem_of, stopping_error
from search_core.api.schemas import StreamEnd, event_body
from search_core.api.stopping import Stopping, StreamRules
from search_core.domain import AnswerDone, AnswerEvent, MessageState
from search_core.domain.run import record_of
from search_core.errors import MaekrakError

logger = logging.getLogger(__name__)

_LINE = "\n"
_END: Any = object()

Body = Mapping[str, Any]
T = TypeVar("T")


class ReaderFrozenError(TimeoutError):
    """Says that a client reads nothing any more."""


async def send_by_rules(scope: Scope, send: Send, rules: StreamRules, answer: Callable[[Send], Awaitable[None]]) -> None:
    """Have *answer* send; its connection is cut when its client reads nothing any more, or when the server has ended."""

    async def send_in_time(message: AsgiMessage) -> None:
        try:
            with anyio.fail_after(rules.send_s):
                await send(message)
        except TimeoutError:
            raise ReaderFrozenError from None

    async def end_with_server() -> None:
        await rules.stopping.wait()
        await anyio.sleep(rules.farewell_s)
        raise ReaderFrozenError

    try:
        async with anyio.create_task_group() as beside:
            beside.start_soon(end_with_server)
            await answer(send_in_time)
            beside.cancel_scope.cancel()
    except* ReaderFrozenError:
        logger.info("An answer was cut off: its client read nothing any more")
        await abort_connection(rules.stopping.server, scope)


class EventStream(Response):
    """Sends *events*, and calls *on_end* when nothing more is sent."""

    def __init__(
        self,
        events: AsyncGenerator[ServerSentEvent],
        rules: StreamRules,
        *,
        location: str = "",
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._events = events
        self._rules = rules
        self._location = {"Location": location} if location else None
        self._on_end = on_end
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        stream = EventSourceResponse(self._events, headers=self._location, ping=self._rules.ping_s, sep=_LINE)
        try:
            async with aclosing(self._events):
                await send_by_rules(scope, send, self._rules, lambda sending: stream(scope, receive, sending))
        finally:
            self._on_end()


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


async def until_stopped(events: AsyncGenerator[T], stopping: Stopping) -> AsyncGenerator[T | ApiError]:
    """Yield *events*, and as the last why they end before their time: the server stops, or they cannot be read any more.

    Events that are there when the server stops come before that.
    """
    stop = asyncio.ensure_future(stopping.wait())
    following: asyncio.Future[Any] = stop
    try:
        while True:
            following = asyncio.ensure_future(anext(events, _END))
            await asyncio.wait((following, stop), return_when=asyncio.FIRST_COMPLETED)
            if not following.done():
                yield stopping_error()
                return
            event = following.result()
            if event is _END:
                return
            yield event
    except MaekrakError as error:
        yield problem_of(error)
    except Exception:  # the client is told that the stream ends, whatever broke it
        logger.exception("The events of a stream could not be read any more")
        yield internal_error()
    finally:
        with anyio.CancelScope(shield=True):
            stop.cancel()
            following.cancel()
            await asyncio.gather(stop, following, return_exceptions=True)
            await events.aclose()


async def cancel_on_disconnect(work: Callable[[], Awaitable[T]], receive: Receive, stopping: Stopping) -> T:
    """Return what *work* returns; it is cancelled when the client leaves or the server stops.

    Raises ClientDisconnect, ApiError (503) and what *work* raises. *receive* is of a request whose body was read.
    """
    results: list[T] = []

    async def finish() -> None:
        results.append(await work())
        group.cancel_scope.cancel()

    async def await_client() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        raise ClientDisconnect

    async def await_server() -> None:
        await stopping.wait()
        raise stopping_error()

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


async def run_events(
    events: AsyncGenerator[tuple[int, Any]], stopping: Stopping, run_id: str = ""
) -> AsyncGenerator[ServerSentEvent]:
    """Yield what is sent of a run, after whose numbers a client can ask to go on; with *run_id* number 0 names the run first."""
    if run_id:
        yield sse_event({"type": "run", "id": run_id}, number=0, name="run")
    async with aclosing(until_stopped(events, stopping)) as told:
        async for item in told:
            if isinstance(item, ApiError):
                interrupted = {"type": INTERRUPTED, "cause": item.kind, "message": str(item), "korean": item.korean}
                yield sse_event(interrupted, name=INTERRUPTED, retry_ms=AGAIN_MS)
                return
            number, event = item
            body = event_body(event)
            yield sse_event(body, number=number, name=body["type"])


SETTLES_S = 3.0
"""How long the last event waits for the answer to be stored."""
BROKEN_OFF = "The answer ended unexpectedly; what was sent before stays."

BodyOf = Callable[[AnswerEvent], Body | None]
"""Returns what is sent of an event; None sends nothing."""


async def answer_bodies(job: AnswerJob, body_of: BodyOf, stopping: Stopping) -> AsyncGenerator[Body]:
    """Yield what is sent of an answer, its end included."""
    timings = AnswerDone(total_ms=0.0)
    async with aclosing(until_stopped(job.follow(), stopping)) as told:
        async for item in told:
            if isinstance(item, ApiError):
                yield {"type": "error", "message": str(item), "korean": item.korean}
                yield _end_body(job, timings, MessageState.STOPPED)
                return
            if isinstance(item[1], AnswerDone):
                timings = item[1]
            elif (body := body_of(item[1])) is not None:
                yield body
    await run_in_threadpool(job.wait, SETTLES_S)
    message = job.snapshot()
    if message.state is MessageState.FAILED:
        yield {"type": "error", "message": BROKEN_OFF, "korean": message.record.error if message.record else ""}
    yield _end_body(job, timings, message.state)


def _end_body(job: AnswerJob, timings: AnswerDone, state: MessageState) -> Body:
    return event_body(record_of(StreamEnd, timings, session_id=job.conversation_id, message_id=job.id, state=state))


def answer_stream(job: AnswerJob, bodies: AsyncGenerator[Body], rules: StreamRules) -> EventStream:
    """Return the stream of an answer, which is stopped when its client leaves."""
    return EventStream(_number_events(bodies), rules, on_end=job.cancel)


async def _number_events(bodies: AsyncGenerator[Body]) -> AsyncGenerator[ServerSentEvent]:
    number = 0
    async with aclosing(bodies):
        async for body in bodies:
            number += 1
            yield sse_event(body, number=number)


async def stream_or_refusal(job: AnswerJob, bodies: AsyncGenerator[Body], rules: StreamRules, receive: Receive) -> Response:
    """Return the stream of an answer once its first event is there, or an error that comes first as plain JSON.

    Raises ClientDisconnect and ApiError (503, 500) where all ends before that.
    """
    stream: Response | None = None
    try:
        first = await cancel_on_disconnect(lambda: anext(bodies), receive, rules.stopping)
        if rules.stopping.begun:
            raise stopping_error()
        if first["type"] != "error":
            stream = answer_stream(job, prepend(first, bodies), rules)
            return stream
        async for _ in bodies:  # the answer is stored before the refusal is sent
            pass
    finally:
        if stream is None:
            job.cancel()
            await bodies.aclose()
    if "failure" not in first:
        raise ApiError(500, "failed", first["message"], first["korean"])
    return JSONResponse({**first, "session_id": job.conversation_id}, headers=NO_STORE)
