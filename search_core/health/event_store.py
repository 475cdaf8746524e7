"""The contract of a store of search events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar, Protocol

from search_core.domain import SearchEvent


class EventStore(Protocol):
    """Keeps search events; safe to use from any thread, every call ends within a second or so."""

    label: ClassVar[str]
    """What the page calls it, Korean."""

    def append(self, events: Sequence[SearchEvent]) -> None:
        """Keep *events*; when this returns they outlive the process. Raises StorageError."""
        ...

    def recent(self, since: datetime, limit: int) -> list[SearchEvent]:
        """Return at most *limit* events not older than *since*, newest first. Raises StorageError."""
        ...

    def close(self) -> None:
        """Close what is open."""
        ...
