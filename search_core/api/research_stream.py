"""A run of research as a stream: it goes on without its client, who may come again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from sse_starlette import ServerSentEvent
from starlette.types import Receive, Scope, Send

from search_core.api.problems import ApiError, internal, problem_of, stopping
from search_core.api.rules import StreamRules
from search_core.api.serializers import research_event_body
from search_core.api.streams import EventStream, sent_event
from search_core.domain import ResearchEvent
from search_core.errors import MaekrakError

logger = logging.getLogger(__name__)

INTERRUPTED = "interrupted"
"""Name of the word that ends a stream before its run; it has no number."""
AGAIN_MS = 3000
"""After so many milliseconds a client whose stream was interrupted may come again."""

Events = AsyncGenerator[tuple[int, ResearchEvent]]
"""What a run tells, with the numbers under which it is taken up again."""


class ResearchStream(EventStream):
    """Sends *events* with their numbers; *run_id* is told before them, under number 0, when it is given."""

    def __init__(self, events: Events, rules: StreamRules, *, run_id: str = "", location: str = "") -> None:
        super().__init__(rules)
        self._events = events
        self._run_id = run_id
        self._location = location
        self._queue: asyncio.Queue[tuple[int, ResearchEvent] | ApiError | None] = asyncio.Queue()

    async def _listen(self) -> None:
        try:
            async with aclosing(self._events) as events:
                async for told in events:
                    self._queue.put_nowait(told)
        except MaekrakError as error:
            self._queue.put_nowait(problem_of(error))
        except Exception as error:
            logger.error("A run of research could not be told any more; it goes on", exc_info=error)
            self._queue.put_nowait(internal())
        else:
            self._queue.put_nowait(None)

    def _stop(self) -> None:
        self._queue.put_nowait(stopping())

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {"Location": self._location} if self._location else None
        await self._send_events(self._sent(), scope, receive, send, headers)

    async def _sent(self) -> AsyncGenerator[ServerSentEvent]:
        if self._run_id:
            yield sent_event({"type": "run", "id": self._run_id}, number=0, name="run")
        while not isinstance(told := await self._queue.get(), ApiError | None):
            number, event = told
            body = research_event_body(event)
            yield sent_event(body, number=number, name=body["type"])
        if told is not None:
            body = {"type": INTERRUPTED, "cause": told.kind, "message": str(told), "korean": told.korean}
            yield sent_event(body, name=INTERRUPTED, retry_ms=AGAIN_MS)
