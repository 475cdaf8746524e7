"""Runs that were stopped while the database could not be written: over for their readers at once, saved when there is room."""

from __future__ import annotations

import threading
from typing import Any

from dbos import DBOS

from search_core.durable_runs.run_format import Run
from search_core.durable_runs.store import RunStore


class PendingStops:
    """Holds the ends of stopped runs in memory until they are saved; safe to use from many threads."""

    def __init__(self, store: RunStore[Any, Any, Any]) -> None:
        self._store = store
        self._runs: dict[str, tuple[Run, str]] = {}
        self._lock = threading.Lock()

    def add(self, run: Run, workflow_id: str) -> None:
        """Hold the end of a run, on which its workflow is to work no more."""
        with self._lock:
            self._runs[run.id] = (run, workflow_id)

    def save(self) -> None:
        """Save what is held, and end its workflows; raises what the database says of a failure, then nothing is lost."""
        with self._lock:
            waiting = dict(self._runs)
        for run_id, (run, workflow_id) in waiting.items():
            progress = self._store.progress(run_id)
            if progress is not None and not progress.status.ended:  # it may have saved its own end meanwhile
                self._store.save_record(run, workflow_id)
            DBOS.cancel_workflow(workflow_id)
            with self._lock:
                self._runs.pop(run_id, None)
