"""The events of one workflow of a run, written into its stream and folded into the run that is saved at the end."""

from __future__ import annotations

from typing import Any, Generic

from dbos import DBOS

from search_core.durable_runs.engine import STREAM
from search_core.durable_runs.event_codec import encode
from search_core.durable_runs.run_format import EventT, RequestT, RunT
from search_core.durable_runs.run_kind import RunKind
from search_core.durable_runs.storage_faults import retry_storage
from search_core.durable_runs.stored_run import StoredRun


class EventPublisher(Generic[RequestT, RunT, EventT]):
    """Publishes the events of one workflow, always in the same order: one that is taken up again writes none twice."""

    def __init__(self, kind: RunKind[Any, Any], run: StoredRun[RequestT, RunT], workflow_id: str) -> None:
        self._kind = kind
        self._workflow_id = workflow_id
        self._waiting: list[EventT] = []
        self.run: RunT = run.empty
        """The run as the events so far make it."""

    def add(self, event: EventT) -> None:
        """Publish *event* with the next ``flush``."""
        self._waiting.append(event)
        self.run = self.run.after(event)

    async def flush(self) -> None:
        """Write the events that wait into the stream, as one value: each value costs a transaction, or two."""
        events, self._waiting = self._waiting, []
        if not events:
            return
        await DBOS.write_stream_async(STREAM, [encode(event) for event in events])
        if any(isinstance(event, self._kind.store.format.status_event) for event in events):
            await retry_storage(self._kind.store.set_status, self.run.id, self._workflow_id, self.run.status)
        self._kind.on_event(self.run.id)

    async def write_piece(self, piece: EventT) -> None:
        """Write a piece of something from inside the step that makes it; a step that is done again writes its pieces again."""
        await DBOS.write_stream_async(STREAM, [encode(piece)])
        self._kind.on_event(self.run.id)

    async def save_and_publish(self, last: EventT) -> None:
        """Save the run as *last* leaves it, then publish *last*: a reader of that event finds the run saved."""
        await self.flush()
        # Not a step: it is safe to do again, and has to be done again after a status was set again.
        await retry_storage(self._kind.store.save_record, self.run.after(last), self._workflow_id)
        self.add(last)
        await self.flush()

    async def close(self) -> None:
        """End the stream."""
        await DBOS.close_stream_async(STREAM)
        self._kind.on_event(self.run.id)
