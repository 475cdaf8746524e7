"""The steps that workflows of every kind take."""

from __future__ import annotations

from typing import Any, TypeVar

from search_core.durable_runs.control import Control
from search_core.durable_runs.outcomes import BeginOutcome, CommandsOutcome, StepOutcome
from search_core.durable_runs.run_kind import RunKind
from search_core.durable_runs.storage_faults import retry_storage
from search_core.storage.json_codec import JsonCodec

T = TypeVar("T")


class RunSteps:
    """Takes the steps of one workflow of a run; what they are called here is what DBOS calls them."""

    def __init__(self, kind: RunKind[Any, Any], run_id: str, control: Control) -> None:
        self._store = kind.store
        self._run_id = run_id
        self._control = control

    async def begin(self, workflow_id: str) -> BeginOutcome:
        """Note that the workflow has begun; it goes on unless the run was deleted, has ended or continues elsewhere."""
        if not await retry_storage(self._store.begin_workflow, self._run_id, workflow_id):
            return BeginOutcome(go_on=False)
        commands = await retry_storage(self._store.commands, [self._run_id])
        return BeginOutcome(go_on=True, commands=tuple(commands[self._run_id]))

    async def next_commands(self, after: int) -> CommandsOutcome:
        """Wait for commands above a number."""
        return CommandsOutcome(commands=tuple(await self._control.wait_after(after)))

    async def read_clock(self) -> StepOutcome:
        """Do nothing: the outcome holds the time."""
        return StepOutcome()

    async def _find(self, key: str, codec: JsonCodec[T]) -> T | None:
        found = await retry_storage(self._store.find, self._run_id, [key])
        return codec.read(found[key])[0] if key in found else None

    async def _save(self, key: str, codec: JsonCodec[T], value: T) -> None:
        await retry_storage(self._store.save_finding, self._run_id, key, codec.write(value))
