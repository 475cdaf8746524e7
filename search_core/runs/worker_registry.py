"""The processes that work on runs, and which of them have died without deregistering."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dbos import DBOS, WorkflowStatus
from sqlalchemy import and_, delete, insert, or_, select, update

from search_core.runs.run_kind import run_id_of
from search_core.runtime import Clock, utc_now
from search_core.storage import Database
from search_core.storage.tables import RESEARCH_PROCESSES

if TYPE_CHECKING:
    from search_core.runs.store import AnyService

HEARTBEAT_S = 2.0
"""Seconds between two heartbeats of a process."""
STALE_S = 10.0
"""Seconds without a heartbeat after which a process counts as dead; clocks of machines differ by less."""
CLAIM_S = 30.0
"""Seconds after which another process may claim a dead one that was claimed before."""
_DEREGISTERED = datetime.fromtimestamp(0, UTC)


class ExpiredWorker(NamedTuple):
    """A process that works on runs no longer; ``died`` is False for one that has deregistered."""

    id: str
    died: bool


class WorkerRegistry:
    """Records the heartbeats of this process and reads those of others; safe to use from many threads.

    Every method raises StorageError when the database cannot be used.
    """

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now
        self._machine = _machine()
        self.id = f"{os.getpid()}-{secrets.token_hex(8)}"
        """Identifies this process, and no later one of the same number."""

    def heartbeat(self) -> None:
        """Record that this process lives; the first time registers it."""
        table = RESEARCH_PROCESSES
        with self._database.writing() as connection:
            beaten = connection.execute(update(table).where(table.c.id == self.id).values(beat_at=self._now()))
            if not beaten.rowcount:
                values = {"id": self.id, "machine": self._machine, "pid": os.getpid(), "beat_at": self._now()}
                connection.execute(insert(table).values(**values))

    def claim_expired(self) -> tuple[ExpiredWorker, ...]:
        """Claim the processes that have ended and that no other process has claimed, and return them."""
        table = RESEARCH_PROCESSES
        now = self._now()
        free = or_(table.c.claimed_at.is_(None), table.c.claimed_at < now - timedelta(seconds=CLAIM_S))
        with self._database.reading() as connection:
            rows = connection.execute(select(table).where(table.c.id != self.id, free)).all()
        silent_since = now - timedelta(seconds=STALE_S)
        suspects = [
            ExpiredWorker(row.id, died=row.beat_at != _DEREGISTERED)
            for row in rows
            if row.beat_at < silent_since or self._died_on_this_machine(row.machine, row.pid)
        ]
        return tuple(each for each in suspects if self._claim(each.id, now))

    def ids(self) -> frozenset[str]:
        """Return the ids of all registered processes, dead ones included; each is registered before it begins a run."""
        with self._database.reading() as connection:
            return frozenset(connection.execute(select(RESEARCH_PROCESSES.c.id)).scalars())

    def remove(self, process_id: str) -> None:
        """Remove a process whose runs were taken over."""
        with self._database.writing() as connection:
            connection.execute(delete(RESEARCH_PROCESSES).where(RESEARCH_PROCESSES.c.id == process_id))

    def deregister(self) -> None:
        """Let the others count this process as dead at once."""
        table = RESEARCH_PROCESSES
        with self._database.writing() as connection:
            connection.execute(update(table).where(table.c.id == self.id).values(beat_at=_DEREGISTERED))

    def _claim(self, process_id: str, now: datetime) -> bool:
        table = RESEARCH_PROCESSES
        free = or_(table.c.claimed_at.is_(None), table.c.claimed_at < now - timedelta(seconds=CLAIM_S))
        with self._database.writing() as connection:
            claim = update(table).where(and_(table.c.id == process_id, free)).values(claimed_at=now)
            return connection.execute(claim).rowcount == 1

    def _died_on_this_machine(self, machine: str, pid: int) -> bool:
        """Return whether the process *pid* ran on this machine and runs no longer."""
        if machine != self._machine:
            return False
        processes = Path("/proc")  # Linux only; elsewhere missing heartbeats have to do
        return pid == os.getpid() or ((processes / "self").exists() and not (processes / str(pid)).exists())


def _machine() -> str:
    """Return what identifies this machine, and on Linux its boot and its set of process numbers."""
    parts = [socket.gethostname()]
    boot, numbers = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/self/ns/pid")
    if boot.exists():
        parts.append(boot.read_text().strip())
    if numbers.exists():
        parts.append(str(numbers.stat().st_ino))
    return ":".join(parts)


logger = logging.getLogger(__name__)

MAX_DEATHS = 2
"""How many processes may die at the same step of a run, killed by it or frozen and then killed; no third is given it."""
MAX_TRIES = 10
"""How often this process takes up a run that it had to leave; after that the run is ended."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
"""Seconds before a run is taken up again; each time twice as many."""
_PENDING, _ENQUEUED, _CANCELLED = "PENDING", "ENQUEUED", "CANCELLED"
_OVER = ("SUCCESS", "ERROR", _CANCELLED, "MAX_RECOVERY_ATTEMPTS_EXCEEDED")


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """Takes over workflows without a working process; safe to do twice, and in many processes at once."""

    services: Mapping[str, AnyService]
    """By the names of their workflows."""
    workers: WorkerRegistry
    version: str
    """Of our workflows."""
    works: bool
    """A process that does not work leaves the queue of another version to one that does."""
    start: Callable[[AnyService, str, str], None]
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
        for service in self.services.values():
            self._queue_waiting(service)

    def _end_deadly_runs(self, process_id: str) -> None:
        """End the runs of a process that died at the step at which another had died: a third would, too."""
        for workflow in DBOS.list_workflows(
            status=_PENDING, executor_id=process_id, app_version=self.version, load_input=False, load_output=False
        ):
            workflow_id, service = workflow.workflow_id, self.services.get(workflow.name)
            if service is None:
                continue
            done = len(DBOS.list_workflow_steps(workflow_id, load_output=False))
            if service.store.note_death(run_id_of(workflow_id), workflow_id, done) >= MAX_DEATHS:
                _cancel(service, workflow_id)
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
            service = self.services.get(workflow.name)
            if workflow.app_version != self.version and service is not None:
                self._end(service, workflow)

    def _end(self, service: AnyService, workflow: WorkflowStatus) -> None:
        """End a workflow that cannot continue; one that never began is left to be put into our queue."""
        workflow_id, run_id = workflow.workflow_id, run_id_of(workflow.workflow_id)
        run = service.store.progress(run_id)
        if run is None or workflow_id not in run.workflow_ids:  # deleted, or replaced before its turn came
            DBOS.delete_workflow(workflow_id)
        elif workflow_id in run.workflow_ids[: run.begun]:
            _cancel(service, workflow_id)
            logger.warning("A run that another version of Maekrak has left is over; it can be resumed")

    def _queue_waiting(self, service: AnyService) -> None:
        """Put runs that are in no queue, or in that of another version, into ours."""
        for run_id, run in service.store.unended_runs().items():
            if not run.queued:
                continue
            workflow_id = run.workflow_ids[-1]
            workflow = DBOS.get_workflow_status(workflow_id)
            if workflow is None:
                self.start(service, run_id, workflow_id)
            elif self.works and workflow.app_version != self.version and self._is_free(workflow):
                new_id = service.store.replace_workflow(run_id, workflow_id)
                if new_id is not None:
                    self.start(service, run_id, new_id)
                    DBOS.delete_workflow(workflow_id)

    def _is_free(self, workflow: WorkflowStatus) -> bool:
        """Return whether no living process has taken a workflow out of its queue."""
        return workflow.status != _PENDING or workflow.executor_id not in self.workers.ids()


def _cancel(service: AnyService, workflow_id: str) -> None:
    """Cancel a workflow that nobody works on, and have the end of its run saved."""
    DBOS.cancel_workflow(workflow_id)
    service.save_end(run_id_of(workflow_id))


@dataclass(slots=True)
class _Left:
    """A workflow that this process has left."""

    retry_at: float
    tries: int = 0


@dataclass(slots=True)
class OrphanedRuns:
    """Looks for runs without a working process; for one thread."""

    service: AnyService
    executor_id: str
    """The id of this process."""
    works_on: Callable[[str], bool]
    """Returns whether this process works on a run."""
    clock: Callable[[], float] = time.monotonic
    left: dict[str, _Left] = field(default_factory=dict)
    """By the id of the workflow."""

    def check(self) -> bool:
        """Take up the runs that this process has left, and settle those of which the workflow is over.

        Return whether any run is under way. Raises what the database says of a failure; nothing is lost then.
        """
        unended = self.service.store.unended_runs()
        runs = {progress.workflow_ids[-1]: (run_id, progress) for run_id, progress in unended.items() if progress.workflow_ids}
        self.left = {workflow_id: left for workflow_id, left in self.left.items() if workflow_id in runs}
        if not runs:
            return False
        workflows = DBOS.list_workflows(workflow_ids=list(runs), load_input=False, load_output=False)
        by_id = {workflow.workflow_id: workflow for workflow in workflows}
        for workflow_id, (run_id, progress) in runs.items():
            workflow = by_id.get(workflow_id)
            if workflow is None or workflow.status in _OVER:
                if progress.begun == len(progress.workflow_ids):
                    self.service.save_end(run_id)
            elif workflow.status == _PENDING and workflow.executor_id == self.executor_id and not self.works_on(run_id):
                self._take_up(workflow_id)
        return True

    def retry_soon(self, run_id: str) -> None:
        """Take up a run with the next ``check``, whatever its pause: it has a new command."""
        for workflow_id, left in list(self.left.items()):
            if workflow_id.startswith(f"{run_id}."):
                left.retry_at = 0.0

    def _take_up(self, workflow_id: str) -> None:
        """Take a workflow up again after its pause; the first look only notes it, for it may be about to begin."""
        left = self.left.get(workflow_id)
        if left is None:
            self.left[workflow_id] = _Left(retry_at=self.clock() + FIRST_PAUSE_S)
            return
        if self.clock() < left.retry_at:
            return
        if left.tries >= MAX_TRIES:
            _cancel(self.service, workflow_id)
            logger.warning("A run could not be taken up again and is over; it can be resumed")
            return
        DBOS.resume_workflow(workflow_id, queue_name=self.service.queue)
        left.tries += 1
        left.retry_at = self.clock() + min(FIRST_PAUSE_S * 2**left.tries, LONGEST_PAUSE_S)
        logger.warning("A run that had to be left goes on")
