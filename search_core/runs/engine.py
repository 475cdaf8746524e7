"""DBOS for runs: launched once in a process; starts workflows, reads their streams and takes over from dead processes.

DBOS has one instance for each process, so one engine is open at a time, for all kinds of runs.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from dbos import DBOS, DBOSConfig, Serializer, SetWorkflowID
from dbos import error as dbos_error
from sqlalchemy.exc import SQLAlchemyError

from search_core.errors import MaekrakError, StorageError
from search_core.runs.control import Control
from search_core.runs.run_kind import RunsUnavailableError
from search_core.runs.worker_registry import HEARTBEAT_S, Takeover, WorkerRegistry
from search_core.runtime import call_on
from search_core.storage.database import Database
from search_core.storage.json_codec import json_text, json_value

if TYPE_CHECKING:
    from search_core.runs.store import AnyService

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger(__name__)

DATABASE_FAULTS = (StorageError, SQLAlchemyError, sqlite3.Error)
"""What our store and DBOS raise when the database cannot be read or written."""
TRIES = 60
PAUSE_S = 1.0


class WorkflowAbandoned(BaseException):
    """Leaves a workflow unfinished for ``Takeover``: unlike an Exception it gives DBOS no outcome to record."""


async def retry_storage(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of *call* on a worker thread, retried for about a minute after StorageError.

    After that raises the last StorageError.
    """
    for tried in range(1, TRIES):
        try:
            return await asyncio.to_thread(call, *args, **kwargs)
        except StorageError as error:
            if tried == 1:
                logger.warning("A run waits for its database: %s", error)
            await asyncio.sleep(PAUSE_S)
    return await asyncio.to_thread(call, *args, **kwargs)


STREAM = "events"
VERSION = "4"
"""Changes with the order in which workflows take their steps, and with what the steps return.

Runs of a living process of another version are left to that process. Runs of a dead one end as interrupted and can be resumed
from their findings.
"""
POLL_S = 0.25
"""Seconds between two looks for commands given in other processes."""
QUEUE_POLL_S, SHARED_QUEUE_POLL_S = 0.1, 0.2
"""Seconds between two looks at the queue, own or shared; a run waits half of this to begin, on average."""
_CONNECTIONS = 8
"""Connections to PostgreSQL. SQLite gets one, shared by threads in turn, because its own waiting starves some of them."""
_ERROR = "\0error"
_open: Engine | None = None
_opening = threading.Lock()


class StepFailedError(Exception):
    """Names the error that a step raised before the process was restarted."""


class JsonSerializer(Serializer):
    """Serialises plain JSON values, and errors by their names."""

    def serialize(self, data: object) -> str:
        """Return *data* as JSON text."""
        if isinstance(data, BaseException):
            data = {_ERROR: type(data).__name__}  # its text may hold what the user asked
        return json_text(data)

    def deserialize(self, serialized_data: str) -> object:
        """Return the value of JSON text; a stored error as StepFailedError."""
        value = json_value(serialized_data)
        if isinstance(value, dict) and _ERROR in value:
            return StepFailedError(value[_ERROR])
        return value

    def name(self) -> str:
        """Return the name of this format in rows."""
        return "maekrak_json"


@dataclass(frozen=True, slots=True)
class StreamRead:
    """The result of reading a workflow's stream."""

    values: list[list[dict[str, Any]]]
    """The values of the stream, each a list of events that were written together."""
    over: bool = False
    """True if the stream has ended."""
    unknown: bool = False
    """True if DBOS does not know the workflow, because it is not queued yet or its rows were deleted."""


class Engine:
    """Works on runs, or only starts and follows them, between ``open`` and ``close``."""

    def __init__(self, services: Sequence[AnyService], database: Database, workers: WorkerRegistry, *, works: bool) -> None:
        self._services = {service.kind.name: service for service in services}
        self._workflows = {service.kind.name: service.workflow for service in services}
        """Workflows by kind, imported before DBOS is launched, because it must know them to continue waiting ones at once."""
        self._database = database
        self._workers = workers
        self._works = works
        self._controls: dict[str, tuple[AnyService, Control, asyncio.AbstractEventLoop]] = {}
        """Service, control and loop of each run worked on here, by the run's id."""
        self._controls_lock = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._watcher: threading.Thread | None = None
        by_workflow = {service.workflow_name: service for service in services}
        self._takeover = Takeover(
            services=by_workflow, workers=workers, version=VERSION, start=self.start, works_on=self._works_on
        )

    def open(self) -> None:
        """Launch DBOS, register this process and take over the work of dead ones.

        Raises StorageError when the database cannot be used and RunsUnavailableError when DBOS does not start.
        """
        global _open
        with _opening:
            if _open is not None:
                raise RunsUnavailableError("Another service of this process has its runs open.")
            self._closing.clear()
            self._workers.heartbeat()  # opens the database first: DBOS finds it as we set it up
            self._launch()
            _open = self
        self._watcher = threading.Thread(target=self._watch, name="maekrak-runs-watch", daemon=True)
        self._watcher.start()

    def _launch(self) -> None:
        own = logging.getLogger("dbos")
        if not own.handlers:  # else DBOS writes to the screen itself, past what keeps secrets out of the log
            own.addHandler(logging.NullHandler())
        try:
            with self._database.explain_errors():  # a damaged file is reported by /healthz, too
                DBOS(config=self._config())
                if not self._works:
                    DBOS.listen_queues([])
                DBOS.launch()
                for service in self._services.values():
                    DBOS.register_queue(
                        service.queue,
                        worker_concurrency=service.parts.limits.runs_at_once,
                        polling_interval_sec=SHARED_QUEUE_POLL_S if self._database.shared else QUEUE_POLL_S,
                        # Its bounds are in the database, the same for all: one that works on no run has no say in them.
                        on_conflict="always_update" if self._works else "never_update",
                    )
        except Exception as error:  # noqa: BLE001 - whatever a database says, runs are not there, and it is said
            DBOS.destroy()
            logger.error("Runs cannot start: %s", type(error).__name__)  # its text may hold the address with the password
            raise RunsUnavailableError(f"DBOS does not start: {type(error).__name__}.") from None

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
        """Leave unfinished work to the next process, and end; a second call does nothing."""
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

    def service(self, name: str) -> AnyService:
        """Return the service of a kind of runs; raises RunsUnavailableError if this process has none."""
        if name not in self._services:
            raise RunsUnavailableError(f"This process has no runs of the kind {name}.")
        return self._services[name]

    def start(self, service: AnyService, run_id: str, workflow_id: str, *, at_once: bool = False) -> None:
        """Queue a run's workflow, or begin it in this process *at_once*; does nothing if it has begun."""
        with self._database.explain_errors(), SetWorkflowID(workflow_id):
            if at_once:
                DBOS.start_workflow(self._workflows[service.kind.name], run_id, workflow_id)
            else:
                DBOS.enqueue_workflow(service.queue, self._workflows[service.kind.name], run_id, workflow_id)

    def read_stream(self, workflow_id: str, offset: int) -> StreamRead:
        """Return the values in a workflow's stream from *offset* on."""
        values: list[list[dict[str, object]]] = []
        try:
            with self._database.explain_errors():
                values.extend(DBOS.read_stream(workflow_id, STREAM, offset=offset, timeout_seconds=0))
        except dbos_error.DBOSStreamTimeoutError:
            return StreamRead(values)
        except dbos_error.DBOSNonExistentWorkflowError:
            return StreamRead(values, unknown=True)
        return StreamRead(values, over=True)

    def delete_workflows(self, workflow_ids: tuple[str, ...]) -> None:
        """Delete DBOS's records of some workflows."""
        with self._database.explain_errors():
            DBOS.delete_workflows(list(workflow_ids))

    @contextmanager
    def deliver_to(self, service: AnyService, run_id: str, control: Control) -> Iterator[None]:
        """Deliver a run's commands to *control*, on the running loop, while the block runs."""
        attached = (service, control, asyncio.get_running_loop())
        with self._controls_lock:
            self._controls[run_id] = attached
        self._wake.set()
        try:
            yield
        finally:
            with self._controls_lock:
                if self._controls.get(run_id) is attached:
                    del self._controls[run_id]

    def check_commands(self) -> None:
        """Check for commands now."""
        self._wake.set()

    def _works_on(self, run_id: str) -> bool:
        with self._controls_lock:
            return run_id in self._controls

    def _watch(self) -> None:
        """Deliver commands to this process's runs, send its heartbeat, and take over runs of dead processes."""
        last_heartbeat, away = -HEARTBEAT_S, False
        while not self._closing.is_set():
            try:
                self._deliver_commands()
                if time.monotonic() - last_heartbeat >= HEARTBEAT_S:
                    last_heartbeat = time.monotonic()
                    self._workers.heartbeat()
                    self._takeover.run()
                    away = False
            except (MaekrakError, *DATABASE_FAULTS) as error:
                if not away:  # said once, not at each look
                    logger.warning("Runs go on without their database for a moment: %s", _cause(error))
                away = True
            except Exception:  # the thread has to outlive any one failure
                logger.exception("Watching over runs failed; it goes on")
            self._wake.wait(POLL_S)
            self._wake.clear()

    def _deliver_commands(self) -> None:
        with self._controls_lock:
            attached = dict(self._controls)
        for service in self._services.values():
            mine = [run_id for run_id, (of, _, _) in attached.items() if of is service]
            for run_id, commands in (service.store.commands(mine) if mine else {}).items():
                _, control, loop = attached[run_id]
                if commands:
                    call_on(loop, control.receive, commands)


def _cause(error: Exception) -> str:
    """Return a text of *error* for the log: only the type for a database driver's, whose text repeats what users wrote."""
    return str(error) if isinstance(error, MaekrakError) else type(error).__name__


def current_engine() -> Engine:
    """Return the open engine; raises RunsUnavailableError without one."""
    if _open is None:
        raise RunsUnavailableError("Runs are closed.")
    return _open
