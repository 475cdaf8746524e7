"""The runs of one process, of every kind: over one database, with one engine, which opens when it is first needed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from search_core.durable_runs.errors import RunsUnavailableError

if TYPE_CHECKING:
    from search_core.durable_runs.engine import Engine
    from search_core.durable_runs.run_kind import RunKind
    from search_core.runtime import LoopThread
    from search_core.storage import Database


class DurableRuns:
    """Opens the engine for the services of a process; safe to call from many threads.

    One of a process is open at once. Nothing slow is imported and no database opened before ``engine`` is asked for.
    """

    def __init__(self, database: Database, loop: LoopThread, *, works: bool = True) -> None:
        """Take where runs are stored and the loop on which their parts run.

        A process that does not work only starts and follows runs, for other processes to work on.
        """
        self.database = database
        self.loop = loop
        self._works = works
        self._kinds: list[Callable[[], RunKind[Any, Any]]] = []
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._closed = False

    def add(self, make_kind: Callable[[], RunKind[Any, Any]]) -> None:
        """Let there be runs of the kind that *make_kind* returns; before the engine is opened, which calls it."""
        self._kinds.append(make_kind)

    @property
    def engine(self) -> Engine:
        """Return the engine, opened; raises RunsUnavailableError when it cannot be, or is closed, and StorageError."""
        with self._lock:
            if self._closed:
                raise RunsUnavailableError("Runs are closed.")
            if self._engine is None:
                from search_core.durable_runs.engine import Engine
                from search_core.durable_runs.worker_registry import WorkerRegistry

                workers = WorkerRegistry(self.database)
                engine = Engine([make_kind() for make_kind in self._kinds], self.database, workers, works=self._works)
                engine.open()
                self._engine = engine
            return self._engine

    def close(self) -> None:
        """Leave what is under way to the next process, and end; a second time does nothing."""
        with self._lock:
            self._closed = True
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
