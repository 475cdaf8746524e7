"""A run as the database has it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from search_core.domain import ResearchRequest, ResearchRun, ResearchStatus


class RunProgress(NamedTuple):
    """How far a run is."""

    status: ResearchStatus
    workflow_ids: tuple[str, ...]
    begun: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """A run as the database has it."""

    id: str
    request: ResearchRequest
    status: ResearchStatus
    record: ResearchRun | None
    """The whole run when it has ended or waits with its plan."""
    workflow_ids: tuple[str, ...]
    """Ids of the workflows that make it, in order."""
    begun: int
    """How many of them have begun."""
    created_at: datetime

    @property
    def settled(self) -> bool:
        """Tell whether nothing happens until the user says so."""
        return self.status.ended or self.status is ResearchStatus.PLANNED

    def empty(self) -> ResearchRun:
        """Return the run before its first event."""
        return ResearchRun(id=self.id, request=self.request, created_at=self.created_at)


def new_workflow_id(run_id: str) -> str:
    """Return the id of a new workflow of a run."""
    return f"{run_id}.{secrets.token_hex(4)}"


def run_id_of(workflow_id: str) -> str:
    """Return the id of the run that a workflow works on."""
    return workflow_id.rpartition(".")[0]
