"""The definition of one kind of long run, and runs as stored in the database."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

from search_core.domain.claim import ClaimsEntry, ClaimsEvent, ClaimsRequest, ClaimsRun
from search_core.domain.research import ResearchEntry, ResearchEvent, ResearchRequest, ResearchRun
from search_core.domain.run import RunFailed, RunStatus
from search_core.errors import InputError, MaekrakError, NotFoundError
from search_core.storage.json_codec import JsonCodec


class RunNotFoundError(NotFoundError):
    """Says that the caller has no such run; another owner's counts as none."""


class RunStateError(InputError):
    """Says that a command is impossible in the run's state."""


class RunsUnavailableError(MaekrakError):
    """Says why this process can neither work on runs nor follow them."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause, korean="지금은 시작하지 못했어요. 잠시 뒤에 다시 시도해 주세요.")


_FORMER_NAMES = ("ResearchFailed", "ClaimsFailed")
"""Names of RunFailed before version 0.5, still found in the streams of older runs."""
QUEUED, STOPPED, FAILED = "queued", "stopped", "failed"
"""Values that the statuses of every kind have."""
RequestT = TypeVar("RequestT", bound=ResearchRequest | ClaimsRequest)
RunT = TypeVar("RunT", bound=ResearchRun | ClaimsRun)
EventT = TypeVar("EventT", bound=ResearchEvent | ClaimsEvent)
EntryT = TypeVar("EntryT", bound=ResearchEntry | ClaimsEntry)
PartsT = TypeVar("PartsT")


@dataclass(frozen=True, kw_only=True)
class RunKind(Generic[RequestT, RunT, EventT]):
    """The types of one kind of run, how they are stored, and its Korean texts."""

    name: str
    requests: JsonCodec[RequestT]
    runs: JsonCodec[RunT]
    begin: Callable[[str, RequestT, datetime], RunT]
    """Returns a run before its first event, by its id, what it was asked to do and when."""
    after: Callable[[RunT, EventT | RunFailed], RunT]
    """Returns a run with an event applied."""
    end: Callable[..., EventT]
    """Returns the event that ends every run, by its status and when."""
    statuses: type[RunStatus]
    events: tuple[type[EventT], ...]
    missing: tuple[str, str]
    """Says in English and in Korean that there is no such run."""
    undeletable: str
    """Says that a run cannot be deleted because it is running."""
    unreadable: str
    given_up: str
    """Says that a run was interrupted and is not taken up again."""
    unexpected: tuple[str, str]
    """Says in English and in Korean that a run failed for an unexpected reason."""

    @cached_property
    def _codecs(self) -> dict[str, JsonCodec[EventT]]:
        codecs = {kind.__name__: JsonCodec(kind) for kind in self.events}
        return codecs | dict.fromkeys(_FORMER_NAMES, codecs[RunFailed.__name__])

    def encode(self, event: EventT) -> dict[str, object]:
        """Return *event* in a form for ``decode``."""
        name = type(event).__name__
        return {"type": name, "data": self._codecs[name].write(event)}

    def decode(self, value: dict[str, str]) -> EventT:
        """Return the event in an encoded *value*."""
        return self._codecs[value["type"]].read(value["data"])[0]

    def status(self, stored: str) -> RunStatus:
        """Return the status of a run; an unreadable one is FAILED, so that it does not hide other runs."""
        try:
            return self.statuses(stored)
        except ValueError:
            return self.statuses(FAILED)

    def failure(self, error: Exception, description: str = "", korean: str = "") -> RunFailed:
        """Return the event for *error*; unexpected ones, whose text may contain the question, are replaced by *description*."""
        texts = description or self.unexpected[0], korean or self.unexpected[1]
        if isinstance(error, MaekrakError):
            texts = str(error), error.korean
        return RunFailed(kind=type(error).__name__, description=texts[0], korean=texts[1])

    def giving_up(self, at: datetime) -> tuple[RunFailed, EventT]:
        """Return the last events of an interrupted run that will not be resumed."""
        why = "The run was interrupted again and again and is not taken up any more."
        failed = RunFailed(kind="Interrupted", description=why, korean=self.given_up)
        return failed, self.end(status=self.status(FAILED), at=at)

    def damaged(self, run: RunT) -> RunT:
        """Return a partly unreadable run as a failed one that says so."""
        why = "Parts of what is kept of the run cannot be read."
        failed = RunFailed(kind="StorageError", description=why, korean=self.unreadable)
        ended: RunT = replace(run, status=self.status(FAILED))  # type: ignore[arg-type]  # of this kind
        return self.after(ended, failed)


class RunProgress(NamedTuple):
    """The status of a run and its workflows."""

    status: RunStatus
    workflow_ids: tuple[str, ...]
    begun: int

    @property
    def queued(self) -> bool:
        """Return whether its last workflow waits for its turn."""
        return self.status.value == QUEUED and self.begun < len(self.workflow_ids)


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
    """Ids of the run's workflows, in order."""
    begun: int
    """How many of the run's workflows have begun."""
    created_at: datetime


def new_workflow_id(run_id: str) -> str:
    """Return the id of a new workflow of a run."""
    return f"{run_id}.{secrets.token_hex(4)}"


def run_id_of(workflow_id: str) -> str:
    """Return the id of the run that a workflow works on."""
    return workflow_id.rpartition(".")[0]


def workflows_to_go_on(run: StoredRun[RequestT, RunT]) -> tuple[str, ...]:
    """Return the workflows of a run that continues after its last one."""
    return (*run.workflow_ids, new_workflow_id(run.id))


def workflows_to_halt(run: StoredRun[RequestT, RunT]) -> tuple[str, ...]:
    """Return the workflows of a run that is to end; a waiting run gets one that begins at once."""
    if run.begun < len(run.workflow_ids):
        return (*run.workflow_ids[:-1], new_workflow_id(run.id))
    return workflows_to_go_on(run) if run.status.waits_for_user else run.workflow_ids
