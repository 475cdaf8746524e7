"""A run as the database has it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, NamedTuple

from search_core.durable_runs.run_format import RequestT, RunStatus, RunT


class RunProgress(NamedTuple):
    """The status of a run and its workflows."""

    status: RunStatus
    workflow_ids: tuple[str, ...]
    begun: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun(Generic[RequestT, RunT]):
    """A run as the database has it."""

    id: str
    request: RequestT
    status: RunStatus
    record: RunT | None
    """The whole run when it has ended or waits for the user."""
    empty: RunT
    """The run before its first event."""
    workflow_ids: tuple[str, ...]
    """Ids of the workflows that make it, in order."""
    begun: int
    """How many of them have begun."""
    created_at: datetime

    @property
    def settled(self) -> bool:
        """Return whether nothing happens until the user says so."""
        return self.status.ended or self.status.waits_for_user


def new_workflow_id(run_id: str) -> str:
    """Return the id of a new workflow of a run."""
    return f"{run_id}.{secrets.token_hex(4)}"


def run_id_of(workflow_id: str) -> str:
    """Return the id of the run that a workflow works on."""
    return workflow_id.rpartition(".")[0]


def workflows_to_halt(run: StoredRun[Any, Any]) -> tuple[str, ...]:
    """Return the workflows of a run that is to end; one that waits, for its turn or the user, gets one that begins at once."""
    if run.begun < len(run.workflow_ids):
        return (*run.workflow_ids[:-1], new_workflow_id(run.id))
    return (*run.workflow_ids, new_workflow_id(run.id)) if run.status.waits_for_user else run.workflow_ids
