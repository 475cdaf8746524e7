"""What dead processes and other versions have left: brought back into the queue, or to an end that is told."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from search_core.research.kept_run import run_of

if TYPE_CHECKING:
    from dbos import WorkflowStatus

    from search_core.research.store import ResearchStore
    from search_core.research.worker_registry import WorkerRegistry

logger = logging.getLogger(__name__)

_PENDING, _ENQUEUED, _CANCELLED = "PENDING", "ENQUEUED", "CANCELLED"


class Takeover:
    """Looks after workflows that nobody works on; what it does is safe to do twice, and in many processes at once."""

    def __init__(
        self,
        store: ResearchStore,
        processes: WorkerRegistry,
        *,
        version: str,
        works: bool,
        start: Callable[[str, str], None],
        settle: Callable[[str], None],
    ) -> None:
        """Take the *version* of the workflows here, *start* for a run's segment and *settle* for a run that has come to its end.

        A process that does not work leaves the queue of another version to one that does.
        """
        self._store = store
        self._processes = processes
        self._version = version
        self._works = works
        self._start = start
        self._settle = settle

    def look(self) -> None:
        """Take over from dead processes, and put runs that are in no queue, or in that of another version, into ours."""
        for process_id in self._processes.gone():
            self._take_from(process_id)
            self._processes.forget(process_id)
        for process_id in self._forgotten():
            self._take_from(process_id)
        self._queue_waiting()

    def _forgotten(self) -> set[str]:
        """Return the ids of dead processes that one of another version has forgotten, though they left runs of ours or others."""
        from dbos import DBOS

        workflows = DBOS.list_workflows(status=[_PENDING, _ENQUEUED], load_input=False, load_output=False)
        left = {each.executor_id for each in workflows if each.status == _PENDING or each.app_version != self._version}
        left -= {self._processes.id, None}
        # Asked last: a process is known before it begins anything.
        return {each for each in left - self._processes.known() if each} if left else set()

    def _take_from(self, process_id: str) -> None:
        """Let the runs of a dead process go on when they are of our version, and end them where they stand when not."""
        from dbos import DBOS

        left = DBOS._recover_pending_workflows([process_id])  # takes only what still belongs to the dead process
        if left:
            logger.warning("A process that researched is gone; the %d runs that it has left go on", len(left))
        states = [_PENDING, _ENQUEUED, _CANCELLED]  # cancelled: by one who died before the run was settled
        for workflow in DBOS.list_workflows(status=states, executor_id=process_id, load_input=False, load_output=False):
            if workflow.app_version != self._version:
                self._end(workflow)

    def _end(self, workflow: WorkflowStatus) -> None:
        """End a workflow that nobody can go on with; one that never began is left to be put into our queue."""
        from dbos import DBOS

        leg = workflow.workflow_id
        state = self._store.state(run_of(leg))
        if state is None or leg not in state.legs:  # deleted, or replaced before its turn came
            DBOS.delete_workflow(leg)
        elif leg in state.legs[: state.begun]:
            DBOS.cancel_workflow(leg)
            self._settle(run_of(leg))
            logger.warning("A run that another version of Maekrak has left is over; it can be gone on with")

    def _queue_waiting(self) -> None:
        from dbos import DBOS

        for run in self._store.waiting():
            leg = run.legs[-1]
            workflow = DBOS.get_workflow_status(leg)
            if workflow is None:
                self._start(run.id, leg)
            elif self._works and workflow.app_version != self._version and self._is_free(workflow):
                renewed = self._store.renew(run.id, leg)
                if renewed is not None:
                    self._start(run.id, renewed)
                    DBOS.delete_workflow(leg)

    def _is_free(self, workflow: WorkflowStatus) -> bool:
        """Tell whether no living process has taken a workflow out of its queue."""
        return workflow.status != _PENDING or workflow.executor_id not in self._processes.known()
