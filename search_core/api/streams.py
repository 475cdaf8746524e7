"""Streams of server-sent events, and work that is cancelled when its client leaves."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import aclosing
from typing import Any, TypeVar

import anyio
from sse_starlette import EventSourceResponse, ServerSentEvent
from sse_starlette.sse import SendTimeoutError
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from search_core.answers.chat.job import AnswerJob
from search_core.api.problems import ApiError, Json, problem_of
from search_core.domain.claim import ClaimsEvent
from search_core.domain.conversation import AnswerDone, AnswerEvent, AnswerToken, MessageState, WebAnswerFailed, WebFailure
from search_core.domain.plain_json import fields_json, plain_json
from search_core.domain.research import ResearchEvent

logger = logging.getLogger(__name__)

SEND_S = 20.0
"""Seconds without reading after which a client is disconnected."""
FAREWELL_S = 2.0
"""Seconds that a stream has to end when the server stops."""
SETTLES_S = 3.0
"""How long the last event waits for the answer to be stored."""
AGAIN_MS = 3000
"""Milliseconds after which a client whose stream was interrupted may connect again."""
BROKEN_OFF = "The answer ended unexpectedly; what was sent before stays."
_OF_FAILURE = ("failure", "korean", "reason", "retry_after_s", "ledger")
_LINE = "\n"

Body = Mapping[str, Any]
BodyOf = Callable[[AnswerEvent], Body | None]
"""Returns the JSON to send for an event; None to send nothing."""
RunEvent = ResearchEvent | ClaimsEvent
T = TypeVar("T")


class EventStream(EventSourceResponse):
    """Sends *events*, and calls *on_end* when the client is gone or the server stops."""

    def __init__(
        self, events: AsyncGenerator[ServerSentEvent], *, location: str = "", on_end: Callable[[], None] = lambda: None
    ) -> None:
        headers = {"Location": location} if location else None
        self._events, self._on_end, self._stopping = events, on_end, anyio.Event()
        super().__init__(
            events,
            headers=headers,
            sep=_LINE,
            send_timeout=SEND_S,
            shutdown_event=self._stopping,
            shutdown_grace_period=FAREWELL_S,
            data_sender_callable=self._end_with_server,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            async with aclosing(self._events):
                await super().__call__(scope, receive, send)
        except SendTimeoutError:
            logger.info("A stream was ended: its client read nothing any more")
        finally:
            self._on_end()

    async def _end_with_server(self) -> None:
        await self._stopping.wait()
        self._on_end()


def sse_event(body: Body, *, number: int | None = None, name: str | None = None, retry_ms: int | None = None) -> ServerSentEvent:
    """Return *body* as an event; a reconnecting client can continue after its *number*."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False)
    return ServerSentEvent(text, id=None if number is None else str(number), event=name, retry=retry_ms, sep=_LINE)


async def prepend(first: T, others: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """Yield *first* and then the items of *others*, which are closed with this generator."""
    async with aclosing(others):
        yield first
        async for item in others:
            yield item


async def cancel_on_disconnect(work: Coroutine[Any, Any, T], receive: Receive) -> T:
    """Return the result of *work*, which is cancelled if the client leaves.

    Raises ClientDisconnect and what *work* raises. *receive* is of a request whose body was read.
    """
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_await_disconnect(receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _await_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def run_events(events: AsyncGenerator[tuple[int, RunEvent]], run_id: str = "") -> AsyncGenerator[ServerSentEvent]:
    """Yield a run's events, numbered so that a client can resume; with *run_id*, number 0 names the run first."""
    if run_id:
        yield sse_event({"type": "run", "id": run_id}, number=0, name="run")
    try:
        async with aclosing(events):
            async for number, event in events:
                yield sse_event(event_body(event), number=number, name=event.name)
    except Exception as error:  # noqa: BLE001  the client may come again
        logger.warning("The events of a run cannot be told any more (%s)", type(error).__name__)
        problem = problem_of(error)
        body = {"type": "interrupted", "cause": problem.kind, "message": str(problem), "korean": problem.korean}
        yield sse_event(body, name="interrupted", retry_ms=AGAIN_MS)


async def answer_bodies(job: AnswerJob, body_of: BodyOf) -> AsyncGenerator[Body]:
    """Yield the messages of an answer's stream, including its end."""
    timings = AnswerDone(total_ms=0.0)
    async with aclosing(job.follow()) as events:
        async for _, event in events:
            if isinstance(event, AnswerDone):
                timings = event
            elif (body := body_of(event)) is not None:
                yield body
    await run_in_threadpool(job.wait, SETTLES_S)
    message = job.snapshot()
    if message.state is MessageState.FAILED:
        korean = message.record.error if message.record else ""
        yield {"type": "error", "message": BROKEN_OFF, "korean": korean, "failure": None}
    ids = {"session_id": job.conversation_id, "message_id": job.id}
    yield {**event_body(timings), **ids, "state": message.state.value}


def answer_stream(job: AnswerJob, bodies: AsyncGenerator[Body]) -> EventStream:
    """Return the stream of an answer, which is stopped if its client leaves."""
    return EventStream(_number_events(bodies), on_end=job.cancel)


async def _number_events(bodies: AsyncGenerator[Body]) -> AsyncGenerator[ServerSentEvent]:
    number = 0
    async with aclosing(bodies):
        async for body in bodies:
            number += 1
            yield sse_event(body, number=number)


async def stream_or_refusal(job: AnswerJob, bodies: AsyncGenerator[Body], receive: Receive) -> Response:
    """Return the stream of an answer, or plain JSON where its first event is an error; raises ClientDisconnect and ApiError."""
    stream: Response | None = None
    try:
        first = await cancel_on_disconnect(anext(bodies), receive)
        if first["type"] != "error":
            stream = answer_stream(job, prepend(first, bodies))
            return stream
        async for _ in bodies:  # the answer is stored before the refusal is sent
            pass
    finally:
        if stream is None:
            job.cancel()
            await bodies.aclose()
    if first["failure"] is None:
        raise ApiError(500, "failed", first["message"], first["korean"])
    return Json({**first, "session_id": job.conversation_id})


def event_body(event: AnswerEvent | RunEvent) -> dict[str, Any]:
    """Return *event* with its name under ``type`` and its fields beside it."""
    if isinstance(event, AnswerToken):
        return {"type": event.name, "part": event.part.value, "content": event.text}
    return {"type": event.name, **plain_json(event)}


def error_body(failure: WebAnswerFailed) -> dict[str, Any]:
    """Return the error event of a request that only the web could answer, when it gave no answer."""
    message = "No web results found" if failure.failure is WebFailure.NO_RESULTS else failure.cause
    return {"type": "error", "message": message, **fields_json(failure, *_OF_FAILURE)}
