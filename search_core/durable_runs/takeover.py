"""Takes over the runs of dead processes and of other versions: they go back into the queue, or end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dbos import DBOS, WorkflowStatus

from search_core.durable_runs.run_kind import RunKind
from search_core.durable_runs.stored_run import run_id_of
from search_core.durable_runs.worker_registry import WorkerRegistry

logger = logging.getLogger(__name__)

AnyKind = RunKind[Any, Any]
MAX_DEATHS = 2
"""How many processes may die at the same step of a run, killed by it or frozen and then killed; no third is given it."""
_PENDING, _ENQUEUED, _CANCELLED = "PENDING", "ENQUEUED", "CANCELLED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """Takes over workflows without a working process; safe to do twice, and in many processes at once."""

    kinds: Mapping[str, AnyKind]
    """By the names of their workflows."""
    workers: WorkerRegistry
    version: str
    """Of our workflows."""
    works: bool
    """A process that does not work leaves the queue of another version to one that does."""
    start: Callable[[AnyKind, str, str], None]
    """Starts a workflow of a run."""

    def run(self) -> None:
        """Take over from dead processes, and put runs that are in no queue, or in that of another version, into ours."""
        for process in self.workers.claim_expired():
            if process.died:
                self._end_deadly_runs(process.id)
            self._take_from(process.id)
            self.workers.remove(process.id)
        for process_id in self._removed_too_early():
            self._take_from(process_id)
        for kind in self.kinds.values():
            self._queue_waiting(kind)

    def _end_deadly_runs(self, process_id: str) -> None:
        """End the runs of a process that died at the step at which another had died: a third would, too."""
        for workflow in DBOS.list_workflows(
            status=_PENDING, executor_id=process_id, app_version=self.version, load_input=False, load_output=False
        ):
            workflow_id, kind = workflow.workflow_id, self.kinds.get(workflow.name)
            if kind is None:
                continue
            done = len(DBOS.list_workflow_steps(workflow_id, load_output=False))
            if kind.store.note_death(run_id_of(workflow_id), workflow_id, done) >= MAX_DEATHS:
                _cancel(kind, workflow_id)
                logger.error("A run is over: %d processes died at the same step of it; it can be resumed", MAX_DEATHS)

    def _removed_too_early(self) -> set[str]:
        """Return the ids of dead processes that one of another version has removed though they left workflows it cannot take."""
        workflows = DBOS.list_workflows(status=[_PENDING, _ENQUEUED], load_input=False, load_output=False)
        left = {each.executor_id for each in workflows if each.status == _PENDING or each.app_version != self.version}
        left -= {self.workers.id, None}
        # Asked last: a process is registered before it begins anything.
        return {each for each in left - self.workers.ids() if each} if left else set()

    def _take_from(self, process_id: str) -> None:
        """Let the runs of a dead process go on when they are of our version, and end the others."""
        left = DBOS._recover_pending_workflows([process_id])  # takes only what still belongs to the dead process
        if left:
            logger.warning("A process that worked on runs is gone; the %d runs that it has left go on", len(left))
        states = [_PENDING, _ENQUEUED, _CANCELLED]  # cancelled: by one who died before the run was settled
        for workflow in DBOS.list_workflows(status=states, executor_id=process_id, load_input=False, load_output=False):
            kind = self.kinds.get(workflow.name)
            if workflow.app_version != self.version and kind is not None:
                self._end(kind, workflow)

    def _end(self, kind: AnyKind, workflow: WorkflowStatus) -> None:
        """End a workflow that cannot continue; one that never began is left to be put into our queue."""
        workflow_id, run_id = workflow.workflow_id, run_id_of(workflow.workflow_id)
        run = kind.store.progress(run_id)
        if run is None or workflow_id not in run.workflow_ids:  # deleted, or replaced before its turn came
            DBOS.delete_workflow(workflow_id)
        elif workflow_id in run.workflow_ids[: run.begun]:
            _cancel(kind, workflow_id)
            logger.warning("A run that another version of Maekrak has left is over; it can be resumed")

    def _queue_waiting(self, kind: AnyKind) -> None:
        """Put runs that are in no queue, or in that of another version, into ours."""
        for run in kind.store.queued_runs():
            workflow_id = run.workflow_ids[-1]
            workflow = DBOS.get_workflow_status(workflow_id)
            if workflow is None:
                self.start(kind, run.id, workflow_id)
            elif self.works and workflow.app_version != self.version and self._is_free(workflow):
                new_id = kind.store.replace_workflow(run.id, workflow_id)
                if new_id is not None:
                    self.start(kind, run.id, new_id)
                    DBOS.delete_workflow(workflow_id)

    def _is_free(self, workflow: WorkflowStatus) -> bool:
        """Return whether no living process has taken a workflow out of its queue."""
        return workflow.status != _PENDING or workflow.executor_id not in self.workers.ids()


def _cancel(kind: AnyKind, workflow_id: str) -> None:
    """Cancel a workflow that nobody works on, and have the end of its run saved."""
    DBOS.cancel_workflow(workflow_id)
    kind.on_end(run_id_of(workflow_id))
