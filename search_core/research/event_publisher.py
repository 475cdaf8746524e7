"""The events of one workflow of a run, written into its stream and folded into the run that is kept in the end."""

from __future__ import annotations

from dbos import DBOS

from search_core.domain import ContentChunk, ResearchEvent, ResearchRun, StatusChanged
from search_core.research.engine import STREAM, Engine
from search_core.research.event_json import encode
from search_core.research.storage_faults import retry_storage
from search_core.research.stored_run import StoredRun


class EventPublisher:
    """Publishes the events of one workflow, always in the same order: one that is taken up again writes none twice."""

    def __init__(self, engine: Engine, run: StoredRun, workflow_id: str) -> None:
        self._engine = engine
        self._workflow_id = workflow_id
        self._waiting: list[ResearchEvent] = []
        self.run: ResearchRun = run.empty()
        """The run as the events so far make it."""

    def add(self, event: ResearchEvent) -> None:
        """Publish *event* with the next ``flush``."""
        self._waiting.append(event)
        self.run = self.run.after(event)

    async def flush(self) -> None:
        """Write the events that wait into the stream, as one value: each value costs a transaction, or two."""
        events, self._waiting = self._waiting, []
        if not events:
            return
        await DBOS.write_stream_async(STREAM, [encode(event) for event in events])
        if any(isinstance(event, StatusChanged) for event in events):
            await retry_storage(self._engine.store.set_status, self.run.id, self._workflow_id, self.run.status)
        self._engine.on_event(self.run.id)

    async def write_piece(self, piece: ContentChunk) -> None:
        """Write a piece of the report from inside the step that writes it."""
        await DBOS.write_stream_async(STREAM, [encode(piece)])
        self._engine.on_event(self.run.id)

    async def save_and_publish(self, last: ResearchEvent) -> None:
        """Save the run as *last* leaves it, then publish *last*: whoever reads it finds the run saved."""
        await self.flush()
        # Not a step: it is safe to do again, and has to be done again after a status was set again.
        await retry_storage(self._engine.store.save_record, self.run.after(last), self._workflow_id)
        self.add(last)
        await self.flush()

    async def close(self) -> None:
        """End the stream."""
        await DBOS.close_stream_async(STREAM)
        self._engine.on_event(self.run.id)
