"""What a leg of a run tells: into its stream, and folded into the run that is kept in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from dbos import DBOS

from search_core.domain import ContentChunk, ResearchEvent, ResearchRun, StatusChanged
from search_core.research.engine import STREAM, Engine
from search_core.research.event_json import encode
from search_core.research.patience import patiently

if TYPE_CHECKING:
    from search_core.research.kept_run import KeptRun

Step = Callable[..., Coroutine[Any, Any, Any]]


class EventPublisher:
    """Tells the events of one leg, always in the same order, so that a leg that begins again tells none twice."""

    def __init__(self, engine: Engine, run: KeptRun, leg: str) -> None:
        self._engine = engine
        self._leg = leg
        self._waiting: list[ResearchEvent] = []
        self.run: ResearchRun = run.empty()
        """What has been told so far."""

    def tell(self, event: ResearchEvent) -> None:
        """Tell *event* with the next ``flush``."""
        self._waiting.append(event)
        self.run = self.run.after(event)

    async def flush(self) -> None:
        """Write what waits into the stream, as one value: each costs a transaction, or two."""
        events, self._waiting = self._waiting, []
        if not events:
            return
        await DBOS.write_stream_async(STREAM, [encode(event) for event in events])
        if any(isinstance(event, StatusChanged) for event in events):
            await patiently(self._engine.store.note, self.run.id, self._leg, self.run.status)
        self._engine.on_event(self.run.id)

    async def tell_piece(self, piece: ContentChunk) -> None:
        """Write a piece of the report from inside the step that writes it."""
        await DBOS.write_stream_async(STREAM, [encode(piece)])
        self._engine.on_event(self.run.id)

    async def settle(self, last: ResearchEvent) -> None:
        """Keep the run as *last* leaves it, and then tell *last*: who has heard it finds the run kept."""
        await self.flush()
        # Not a step: it is safe to do again, and has to be done again after a status was noted again.
        await patiently(self._engine.store.settle, self.run.after(last), self._leg)
        self.tell(last)
        await self.flush()

    async def close(self) -> None:
        """End the stream."""
        await DBOS.close_stream_async(STREAM)
        self._engine.on_event(self.run.id)


def step(name: str, body: Step, *args: Any) -> asyncio.Task[Any]:
    """Start a step now; its place among the steps is that of this call, whenever it gets its turn."""
    reserved = DBOS.reserve_step()
    return asyncio.create_task(reserved.run_async({"name": name}, body, *args))
