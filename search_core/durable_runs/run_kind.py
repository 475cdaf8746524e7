"""One kind of run as a process works on it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from search_core.durable_runs.store import RunStore
from search_core.runtime import LoopThread

PartsT = TypeVar("PartsT")
StoreT = TypeVar("StoreT", bound=RunStore[Any, Any, Any])


@dataclass(slots=True, kw_only=True)
class RunKind(Generic[PartsT, StoreT]):
    """What an engine knows of one kind of run, and what its workflows are given."""

    name: str
    workflow: Callable[[str, str], Awaitable[None]]
    """Works on a run, given the run's id and its own."""
    workflow_name: str
    """By which DBOS knows it, in every version."""
    queue: str
    runs_at_once: int
    """Runs this process works on at the same time."""
    runs_everywhere: int = 0
    """Runs all processes work on at the same time; 0 sets no limit."""
    store: StoreT
    parts: PartsT
    """What runs are done with."""
    loop: LoopThread
    """On which the coroutines of ``parts`` run."""
    now: Callable[[], float] = time.time
    """Seconds since 1970."""
    on_event: Callable[[str], None] = lambda _: None
    """Called, with the id of its run, when an event was written in this process."""
    on_end: Callable[[str], None] = lambda _: None
    """Called with the id of a run whose last workflow was ended from outside: the end of the run is to be saved."""
