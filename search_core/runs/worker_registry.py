"""The processes that work on runs, and the handling of orphaned runs."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from dbos import DBOS, WorkflowStatus
from sqlalchemy import delete, insert, select, update

from search_core.runs.run_kind import RunProgress, run_id_of
from search_core.runtime import Clock, utc_now
from search_core.storage.database import Database
from search_core.storage.tables import RESEARCH_PROCESSES

if TYPE_CHECKING:
    from search_core.runs.store import AnyService

HEARTBEAT_S = 2.0
"""Seconds between two heartbeats of a process."""
STALE_S = 10.0
"""Seconds without a heartbeat after which a process counts as dead; clocks of machines differ by less."""


class WorkerRegistry:
    """Records this process's heartbeats and reads those of others; thread-safe.

    Every method raises StorageError when the database cannot be used.
    """

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now
        self._machine = _machine()
        self.id = f"{os.getpid()}-{secrets.token_hex(8)}"
        """Id of this process, different for a later process with the same number."""

    def heartbeat(self) -> None:
        """Record that this process is alive; the first call registers it."""
        table = RESEARCH_PROCESSES
        with self._database.writing() as connection:
            beaten = connection.execute(update(table).where(table.c.id == self.id).values(beat_at=self._now()))
            if not beaten.rowcount:
                values = {"id": self.id, "machine": self._machine, "pid": os.getpid(), "beat_at": self._now()}
                connection.execute(insert(table).values(**values))

    def remove_expired(self) -> None:
        """Remove the processes that have ended without deregistering."""
        table = RESEARCH_PROCESSES
        with self._database.reading() as connection:
            rows = connection.execute(select(table).where(table.c.id != self.id)).all()
        silent_since = self._now() - timedelta(seconds=STALE_S)
        gone = [row for row in rows if row.beat_at < silent_since or self._died_on_this_machine(row.machine, row.pid)]
        if gone:
            with self._database.writing() as connection:
                connection.execute(delete(table).where(table.c.id.in_([row.id for row in gone])))

    def ids(self) -> frozenset[str]:
        """Return the ids of all registered processes; each is registered before it begins a run."""
        with self._database.reading() as connection:
            return frozenset(connection.execute(select(RESEARCH_PROCESSES.c.id)).scalars())

    def deregister(self) -> None:
        """Make other processes count this one as dead at once."""
        with self._database.writing() as connection:
            connection.execute(delete(RESEARCH_PROCESSES).where(RESEARCH_PROCESSES.c.id == self.id))

    def _died_on_this_machine(self, machine: str, pid: int) -> bool:
        """Return whether process *pid* was on this machine and has ended."""
        if machine != self._machine:
            return False
        processes = Path("/proc")  # Linux only; elsewhere missing heartbeats have to do
        return pid == os.getpid() or ((processes / "self").exists() and not (processes / str(pid)).exists())


def _machine() -> str:
    """Return an id of this machine; on Linux it also changes with each boot and process namespace."""
    parts = [socket.gethostname()]
    boot, numbers = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/self/ns/pid")
    if boot.exists():
        parts.append(boot.read_text().strip())
    if numbers.exists():
        parts.append(str(numbers.stat().st_ino))
    return ":".join(parts)


logger = logging.getLogger(__name__)

MAX_TRIES = 10
"""How often this process resumes a run that it had to abandon; then the run is ended."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 15.0
"""Seconds before an abandoned run is resumed: the first pause, doubled each time up to the longest."""
_PENDING, _ENQUEUED = "PENDING", "ENQUEUED"
_OVER = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")


@dataclass(slots=True)
class _Left:
    """A workflow that this process has abandoned."""

    retry_at: float
    tries: int = 0


@dataclass(slots=True, kw_only=True)
class Takeover:
    """Takes care of orphaned runs; safe in many processes at once, in one thread of each."""

    services: Mapping[str, AnyService]
    """Services by the names of their workflows."""
    workers: WorkerRegistry
    version: str
    """The version of this process's workflows."""
    start: Callable[[AnyService, str, str], None]
    """Starts a workflow of a run."""
    works_on: Callable[[str], bool]
    """Returns whether this process works on a run."""
    left: dict[str, _Left] = field(default_factory=dict)
    """Abandoned workflows by id."""

    def run(self) -> None:
        """Continue or end each orphaned run.

        Raises the database's errors; nothing is lost then.
        """
        self.workers.remove_expired()
        self._take_over()
        unended = [(service, *item) for service in self.services.values() for item in service.store.unended_runs().items()]
        runs = {run.workflow_ids[-1]: (service, run) for service, _, run in unended if run.workflow_ids}
        self.left = {workflow_id: left for workflow_id, left in self.left.items() if workflow_id in runs}
        if not runs:
            return
        workflows = DBOS.list_workflows(workflow_ids=list(runs), load_input=False, load_output=False)
        by_id = {workflow.workflow_id: workflow for workflow in workflows}
        for workflow_id, (service, run) in runs.items():
            self._settle(service, run, workflow_id, by_id.get(workflow_id))

    def _take_over(self) -> None:
        """Continue the runs of dead processes if they are of our version, and end the others."""
        under_way = DBOS.list_workflows(status=[_PENDING, _ENQUEUED], load_input=False, load_output=False)
        living = self.workers.ids()  # asked last: a process is registered before it begins anything
        lost = [
            workflow_left for workflow_left in under_way if workflow_left.executor_id and workflow_left.executor_id not in living
        ]
        for workflow in lost:
            if workflow.app_version != self.version:
                _cancel(self.services[workflow.name], workflow.workflow_id)
                logger.warning("A run that another version of Maekrak has left is over; it can be resumed")
        dead = {
            workflow_left.executor_id
            for workflow_left in lost
            if workflow_left.status == _PENDING and workflow_left.app_version == self.version
        }
        if dead:  # of several processes that do this, one puts a workflow back into its queue
            DBOS._recover_pending_workflows([workflow_left for workflow_left in dead if workflow_left])
            logger.warning("A process that worked on runs is gone; the runs that it has left go on")

    def _settle(self, service: AnyService, run: RunProgress, workflow_id: str, workflow: WorkflowStatus | None) -> None:
        """Queue, resume or end a run, depending on its last workflow."""
        if workflow is None and run.queued:
            self.start(service, run_id_of(workflow_id), workflow_id)
        elif workflow is None or workflow.status in _OVER:
            if run.begun == len(run.workflow_ids):
                service.save_end(run_id_of(workflow_id))
        elif (
            workflow.status == _PENDING and workflow.executor_id == self.workers.id and not self.works_on(run_id_of(workflow_id))
        ):
            self._take_up(service, workflow_id)

    def _take_up(self, service: AnyService, workflow_id: str) -> None:
        """Resume a workflow after a pause; the first call only notes it, because the workflow may be about to begin."""
        left = self.left.get(workflow_id)
        if left is None:
            self.left[workflow_id] = _Left(retry_at=time.monotonic() + FIRST_PAUSE_S)
            return
        if time.monotonic() < left.retry_at:
            return
        if left.tries >= MAX_TRIES:
            _cancel(service, workflow_id)
            logger.warning("A run could not be taken up again and is over; it can be resumed")
            return
        DBOS.resume_workflow(workflow_id, queue_name=service.queue)
        left.tries += 1
        left.retry_at = time.monotonic() + min(FIRST_PAUSE_S * 2**left.tries, LONGEST_PAUSE_S)
        logger.warning("A run that had to be left goes on")


def _cancel(service: AnyService, workflow_id: str) -> None:
    """Cancel a workflow that no process works on, and save the end of its run."""
    service.store.begin_workflow(run_id_of(workflow_id), workflow_id)
    DBOS.cancel_workflow(workflow_id)
    service.save_end(run_id_of(workflow_id))
