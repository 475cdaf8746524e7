"""DBOS as research uses it: launched once in a process; starts workflows, reads their streams and takes over from dead processes.

DBOS keeps one instance for each process, so one engine is open at a time.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from dbos import DBOS, DBOSConfig, SetWorkflowID
from dbos import error as dbos_error

from search_core.domain import ResearchRun
from search_core.errors import MaekrakError
from search_core.research.control import Command, CommandKind, Control
from search_core.research.errors import ResearchUnavailableError
from search_core.research.json_serializer import JsonSerializer
from search_core.research.parts import ResearchParts
from search_core.research.storage_faults import DATABASE_FAULTS
from search_core.research.store import ResearchStore
from search_core.research.takeover import Takeover
from search_core.research.unattended import Unattended
from search_core.research.unsaved_stops import UnsavedStops
from search_core.research.worker_registry import HEARTBEAT_S, WorkerRegistry
from search_core.runtime import LoopThread, call_on
from search_core.storage import Database

logger = logging.getLogger(__name__)

STREAM = "events"
QUEUE = "maekrak-research"
VERSION = "3"
"""Changes with the order in which workflows take their steps, and with what the steps return.

What a living process of another version works on is left to it. What a dead one had begun ends as interrupted and can be
resumed from what it found; what waits for its turn is put into our queue.
"""
POLL_S = 0.25
"""Seconds between two looks for commands given in other processes."""
QUEUE_POLL_S, SHARED_QUEUE_POLL_S = 0.1, 0.2
"""Seconds between two looks at the queue: a run waits half of it to begin, and many processes may look at a shared one."""
_CONNECTIONS = 8
"""To PostgreSQL. To SQLite one, which threads wait for in turn: SQLite itself lets those who wait sleep, and starves some."""
_open: Engine | None = None
_opening = threading.Lock()


@dataclass(frozen=True, slots=True)
class StreamRead:
    """What was read from the stream of a workflow."""

    values: list[list[dict[str, Any]]]
    """Events that were written together."""
    over: bool = False
    """True when there will be no more."""
    unknown: bool = False
    """True when DBOS does not know the workflow: it was not put into the queue yet, or its rows were deleted."""


class Engine:
    """Works on runs, or only starts and follows them, between ``open`` and ``close``."""

    def __init__(
        self,
        parts: ResearchParts,
        store: ResearchStore,
        database: Database,
        loop: LoopThread,
        workers: WorkerRegistry,
        *,
        workflow: Callable[[str, str], Awaitable[None]],
        works: bool,
    ) -> None:
        """Take what runs are done with; *workflow* works on a run, given the run's id and its own."""
        self.parts = parts
        self.store = store
        self.loop = loop
        self.on_event: Callable[[str], None] = lambda _: None
        """Called, with the id of its run, when an event was written in this process."""
        self.on_end: Callable[[str], None] = lambda _: None
        """Called with the id of a run of which a workflow was ended that nobody can continue: its end is to be saved."""
        self._database = database
        self._workers = workers
        self._workflow = workflow
        self._works = works
        self._controls: dict[str, tuple[Control, asyncio.AbstractEventLoop]] = {}
        self._controls_lock = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._watcher: threading.Thread | None = None
        self._takeover = Takeover(
            store=store, workers=workers, version=VERSION, works=works, start=self.start, settle=self._settle
        )
        self._unattended = Unattended(
            store=store, executor_id=workers.id, queue=QUEUE, works_on=self._works_on, settle=self._settle
        )
        self._unsaved_stops = UnsavedStops(store)

    def open(self) -> None:
        """Launch DBOS, register this process and take over what dead ones have left; a second time does nothing.

        Raises StorageError when the database cannot be used and ResearchUnavailableError when DBOS does not start.
        """
        global _open
        with _opening:
            if _open is self:
                return
            if _open is not None:
                raise ResearchUnavailableError("Another service of this process has research open.")
            self._closing.clear()
            self._workers.heartbeat()  # opens the database first: DBOS finds it as we set it up
            self._launch()
            _open = self
        self._watcher = threading.Thread(target=self._watch, name="maekrak-research-watch", daemon=True)
        self._watcher.start()

    def _launch(self) -> None:
        own = logging.getLogger("dbos")
        if not own.handlers:  # else DBOS writes to the screen itself, past what keeps secrets out of the log
            own.addHandler(logging.NullHandler())
        try:
            with self._database.explain_errors():  # a damaged file is told by /healthz, too
                DBOS(config=self._config())
                if not self._works:
                    DBOS.listen_queues([])
                DBOS.launch()
                limits = self.parts.limits
                DBOS.register_queue(
                    QUEUE,
                    worker_concurrency=limits.runs_at_once,
                    global_concurrency=limits.runs_everywhere or None,
                    polling_interval_sec=SHARED_QUEUE_POLL_S if self._database.shared else QUEUE_POLL_S,
                    # Its bounds are in the database, the same for all: one that works on no run has no say in them.
                    on_conflict="always_update" if self._works else "never_update",
                )
        except Exception as error:  # noqa: BLE001 - whatever a database says, research is not there, and says so
            DBOS.destroy()
            logger.error("Research cannot start: %s", type(error).__name__)  # its text may hold the address with the password
            raise ResearchUnavailableError(f"DBOS does not start: {type(error).__name__}.") from None

    def _config(self) -> DBOSConfig:
        return {
            "name": "maekrak",
            "system_database_url": self._database.url.get_secret_value(),
            "sys_db_pool_size": _CONNECTIONS if self._database.shared else 1,
            "log_level": "ERROR",
            "application_version": VERSION,
            "executor_id": self._workers.id,
            "serializer": JsonSerializer(),
            "notification_listener_polling_interval_sec": 0.1,
            "enable_otlp": False,
        }

    def close(self) -> None:
        """Leave what this process works on to the next, and end; a second time does nothing."""
        global _open
        with _opening:
            if _open is not self:
                return
            self._closing.set()
            self._wake.set()
            if self._watcher is not None:
                self._watcher.join(5)
            DBOS.destroy()
            _open = None
        try:
            self._workers.deregister()
        except MaekrakError as error:
            logger.warning("This process could not deregister: %s", error)

    def start(self, run_id: str, workflow_id: str, *, at_once: bool = False) -> None:
        """Put a workflow of a run into the queue, or begin it in this process *at_once*; one begun before is left alone."""
        with self._database.explain_errors(), SetWorkflowID(workflow_id):
            if at_once:
                DBOS.start_workflow(self._workflow, run_id, workflow_id)
            else:
                DBOS.enqueue_workflow(QUEUE, self._workflow, run_id, workflow_id)

    def read_stream(self, workflow_id: str, offset: int) -> StreamRead:
        """Return the values that are in the stream of a workflow from *offset* on."""
        values: list[list[dict[str, Any]]] = []
        try:
            with self._database.explain_errors():
                values.extend(DBOS.read_stream(workflow_id, STREAM, offset=offset, timeout_seconds=0))
        except dbos_error.DBOSStreamTimeoutError:
            return StreamRead(values)
        except dbos_error.DBOSNonExistentWorkflowError:
            return StreamRead(values, unknown=True)
        return StreamRead(values, over=True)

    def delete_workflows(self, workflow_ids: tuple[str, ...]) -> None:
        """Delete what DBOS stores of some workflows."""
        with self._database.explain_errors():
            DBOS.delete_workflows(list(workflow_ids))

    def attach(self, run_id: str, control: Control) -> None:
        """Deliver the commands of a run to *control*, which belongs to the running loop."""
        with self._controls_lock:
            self._controls[run_id] = (control, asyncio.get_running_loop())
        self._wake.set()

    def detach(self, run_id: str, control: Control) -> None:
        """Deliver no more commands to *control*."""
        with self._controls_lock:
            if self._controls.get(run_id, (None,))[0] is control:
                del self._controls[run_id]

    def check_commands(self, run_id: str) -> None:
        """Look for commands now; a run that had to be left is taken up to obey them."""
        self._unattended.hurry(run_id)
        self._wake.set()

    def stop_unsaved(self, run: ResearchRun, workflow_id: str) -> None:
        """Stop what this process does for a run, the end of which is *run*, and save that when the database can be written."""
        with self._controls_lock:
            attached = self._controls.get(run.id)
        if attached is not None:
            control, loop = attached
            call_on(loop, lambda: control.receive([Command(number=control.last + 1, kind=CommandKind.STOP)]))
        self._unsaved_stops.add(run, workflow_id)

    def owns(self, workflow_id: str) -> bool:
        """Tell whether it is this process that works on a workflow, or has left it; asks the database."""
        with self._database.explain_errors():
            workflow = DBOS.get_workflow_status(workflow_id)
        return workflow is not None and workflow.executor_id == self._workers.id

    def _settle(self, run_id: str) -> None:
        self.on_end(run_id)

    def _works_on(self, run_id: str) -> bool:
        with self._controls_lock:
            return run_id in self._controls

    def _watch(self) -> None:
        """Deliver commands to the runs of this process, record its heartbeat, and take over from dead processes."""
        last_heartbeat, away = -HEARTBEAT_S, False
        while not self._closing.is_set():
            try:
                self._deliver_commands()
                if time.monotonic() - last_heartbeat >= HEARTBEAT_S:
                    last_heartbeat = time.monotonic()
                    self._workers.heartbeat()
                    self._unsaved_stops.save()
                    self._takeover.run()
                    if self._works:
                        self._unattended.check()
                    away = False
            except (MaekrakError, *DATABASE_FAULTS) as error:
                if not away:  # said once, not at each look
                    logger.warning("Research goes on without its database for a moment: %s", _cause(error))
                away = True
            except Exception:  # the thread has to outlive any one failure
                logger.exception("Watching over research failed; it goes on")
            self._wake.wait(POLL_S)
            self._wake.clear()

    def _deliver_commands(self) -> None:
        with self._controls_lock:
            controls = dict(self._controls)
        if not controls:
            return
        for run_id, commands in self.store.commands(controls).items():
            control, loop = controls[run_id]
            if commands:
                call_on(loop, control.receive, commands)


def _cause(error: Exception) -> str:
    """Return what a log may say of *error*: what a driver says of a refused row repeats parts of it."""
    return str(error) if isinstance(error, MaekrakError) else type(error).__name__


def current_engine() -> Engine:
    """Return the engine that is open; raises ResearchUnavailableError when none is."""
    if _open is None:
        raise ResearchUnavailableError("Research is closed.")
    return _open
