"""Runs that the database has as running while no process works on them: taken up again, or ended so that readers learn of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dbos import DBOS, WorkflowStatus

from search_core.durable_runs.store import RunStore

logger = logging.getLogger(__name__)

MAX_TRIES = 10
"""How often this process takes up a run that it had to leave; after that the run is ended."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
"""Seconds before a run is taken up again; each time twice as many."""
_PENDING = "PENDING"
_OVER = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")


@dataclass(slots=True)
class _Left:
    """A workflow that this process has left."""

    retry_at: float
    tries: int = 0


@dataclass(slots=True, kw_only=True)
class OrphanedRuns:
    """Looks for runs without a working process; for one thread."""

    store: RunStore[Any, Any, Any]
    executor_id: str
    """The id of this process."""
    queue: str
    """For what is taken up."""
    works_on: Callable[[str], bool]
    """Returns whether this process works on a run."""
    settle: Callable[[str], None]
    """Saves the end of a run whose workflow is over."""
    clock: Callable[[], float] = time.monotonic
    left: dict[str, _Left] = field(default_factory=dict)
    """By the id of the workflow."""

    def check(self) -> None:
        """Take up the runs that this process has left, and settle those of which the workflow is over.

        Raises what the database says of a failure; nothing is lost then.
        """
        unended = self.store.unended_runs()
        runs = {progress.workflow_ids[-1]: (run_id, progress) for run_id, progress in unended.items() if progress.workflow_ids}
        self.left = {workflow_id: left for workflow_id, left in self.left.items() if workflow_id in runs}
        if not runs:
            return
        workflows = DBOS.list_workflows(workflow_ids=list(runs), load_input=False, load_output=False)
        by_id = {workflow.workflow_id: workflow for workflow in workflows}
        for workflow_id, (run_id, progress) in runs.items():
            workflow = by_id.get(workflow_id)
            if workflow is None or workflow.status in _OVER:
                if progress.begun == len(progress.workflow_ids):
                    self.settle(run_id)
            elif self._is_left(workflow, run_id):
                self._take_up(run_id, workflow_id)

    def retry_soon(self, run_id: str) -> None:
        """Take up a run with the next ``check``, whatever its pause: it has a new command."""
        for workflow_id, left in list(self.left.items()):
            if workflow_id.startswith(f"{run_id}."):
                left.retry_at = 0.0

    def _is_left(self, workflow: WorkflowStatus, run_id: str) -> bool:
        """Return whether this process should work on a workflow and does not."""
        return workflow.status == _PENDING and workflow.executor_id == self.executor_id and not self.works_on(run_id)

    def _take_up(self, run_id: str, workflow_id: str) -> None:
        """Take a workflow up again after its pause; the first look only notes it, for it may be about to begin."""
        left = self.left.get(workflow_id)
        if left is None:
            self.left[workflow_id] = _Left(retry_at=self.clock() + FIRST_PAUSE_S)
            return
        if self.clock() < left.retry_at:
            return
        if left.tries >= MAX_TRIES:
            DBOS.cancel_workflow(workflow_id)
            self.settle(run_id)
            logger.warning("A run could not be taken up again and is over; it can be resumed")
            return
        DBOS.resume_workflow(workflow_id, queue_name=self.queue)
        left.tries += 1
        left.retry_at = self.clock() + min(FIRST_PAUSE_S * 2**left.tries, LONGEST_PAUSE_S)
        logger.warning("A run that had to be left goes on")
