"""The format of one kind of run: how its parts are stored, and which of its events mean what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, Protocol, Self, TypeVar, cast

from search_core.storage.json_codec import JsonCodec

QUEUED, STOPPED, FAILED = "queued", "stopped", "failed"
"""Values that the statuses of every kind have."""


class RunStatus(Protocol):
    """The status of a run; a ``StrEnum`` of its kind."""

    @property
    def value(self) -> Any:
        """Return its name as it is stored."""

    @property
    def ended(self) -> bool:
        """Return whether nothing more will happen by itself."""

    @property
    def waits_for_user(self) -> bool:
        """Return whether it goes on when the user says so."""


class RunRequest(Protocol):
    """What a run was asked to do."""

    @property
    def owner(self) -> str:
        """Return whose run it is; empty without a login."""

    @property
    def continues(self) -> str:
        """Return the id of the run that it goes on from; empty for one of its own."""


class Run(Protocol):
    """A run as its events make it."""

    @property
    def id(self) -> str:
        """Return its id."""

    @property
    def request(self) -> Any:
        """Return what it was asked to do."""

    @property
    def status(self) -> Any:
        """Return how far it is."""

    @property
    def failures(self) -> tuple[Any, ...]:
        """Return the events of what failed in it."""

    @property
    def ended_at(self) -> datetime | None:
        """Return when it ended; None while it goes on."""

    def after(self, event: Any) -> Self:
        """Return the run with *event* applied."""

    def replay(self) -> Iterator[Any]:
        """Yield events that make this run, which has ended, again."""


RequestT = TypeVar("RequestT", bound=RunRequest)
RunT = TypeVar("RunT", bound=Run)
EventT = TypeVar("EventT")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFormat(Generic[RequestT, RunT, EventT]):
    """The types of one kind of run, and how they are stored."""

    statuses: type[StrEnum]
    """A ``RunStatus`` each; their values hold QUEUED, STOPPED and FAILED."""
    requests: JsonCodec[RequestT]
    runs: JsonCodec[RunT]
    begin: Callable[[str, RequestT, datetime], RunT]
    """Returns a run before its first event, given its id, its request and when it was made."""
    status_event: type
    """The type of the events that say how far a run is."""
    end_event: type
    """The type of the event that ends every run."""
    end: Callable[[str, datetime], EventT]
    """Returns the end of a run of which no more is known than its status and when."""
    given_up: EventT
    """Says that a run was interrupted and is not taken up again."""
    stopped_unsaved: EventT
    """Says that a run was stopped while its database could not be written."""
    damaged: Callable[[RunT], RunT]
    """Returns what could be read of a run as one that failed, and says so."""

    def status(self, stored: str) -> RunStatus:
        """Return the status of a run; FAILED for one that cannot be read, so that it does not hide the others."""
        try:
            return cast("RunStatus", self.statuses(stored))
        except ValueError:
            return cast("RunStatus", self.statuses(FAILED))

    def known_status(self, stored: str) -> RunStatus:
        """Return the status of a run; raises ValueError for an unknown one."""
        return cast("RunStatus", self.statuses(stored))

    def settled_statuses(self) -> list[str]:
        """Return the values of the statuses in which nothing happens until the user says so."""
        statuses = [cast("RunStatus", status) for status in self.statuses]
        return [status.value for status in statuses if status.ended or status.waits_for_user]
