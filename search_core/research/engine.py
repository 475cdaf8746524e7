"""DBOS as research uses it: launched once in a process, its workflows started, its streams read, its dead colleagues replaced.

DBOS keeps one instance for each process, so one engine is open at a time.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from search_core.errors import MaekrakError
from search_core.research.control import Control
from search_core.research.errors import ResearchUnavailableError
from search_core.research.takeover import Takeover
from search_core.research.worker_registry import BEAT_S, WorkerRegistry

if TYPE_CHECKING:
    from dbos import DBOSConfig

    from search_core.research.parts import ResearchParts
    from search_core.research.store import ResearchStore
    from search_core.runtime import LoopThread
    from search_core.storage import Database

logger = logging.getLogger(__name__)

STREAM = "events"
QUEUE = "maekrak-research"
VERSION = "2"
"""Of the order in which workflows take their steps.

What a living process of another version works on is left to it. What a dead one had begun ends as interrupted, to be gone on
with from what it found; what waits for its turn is put into our queue.
"""
LOOK_S = 0.25
"""How often wishes made in other processes are looked for."""
QUEUE_LOOK_S, SHARED_QUEUE_LOOK_S = 0.1, 0.2
"""How often the queue is looked at: a run waits half of it to begin, and many processes may look at a shared one."""
_CONNECTIONS = 8
"""To PostgreSQL. To SQLite one, which threads wait for in turn: SQLite itself lets those who wait sleep, and starves some."""
_open: Engine | None = None
_opening = threading.Lock()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a stream has given."""

    values: list[list[dict[str, Any]]]
    """Events that were told together."""
    over: bool = False
    """True when there will be no more."""
    unknown: bool = False
    """True when DBOS does not know the leg: it was not put into the queue yet, or its rows were deleted."""


class Engine:
    """Works on runs, or only starts and follows them, between ``open`` and ``close``."""

    def __init__(
        self,
        parts: ResearchParts,
        store: ResearchStore,
        database: Database,
        loop: LoopThread,
        processes: WorkerRegistry,
        *,
        workflow: Callable[[str, str], Awaitable[None]],
        works: bool,
    ) -> None:
        """Take what runs are done with; *workflow* does one segment of a run, given the run's id and the segment's."""
        self.parts = parts
        self.store = store
        self.loop = loop
        self.on_event: Callable[[str], None] = lambda _: None
        """Called, with the id of its run, when an event was written in this process."""
        self.on_end: Callable[[str], None] = lambda _: None
        """Called, with the id of its run, when a segment was ended that nobody can go on with: the end is to be told and kept."""
        self._database = database
        self._processes = processes
        self._workflow = workflow
        self._works = works
        self._controls: dict[str, tuple[Control, asyncio.AbstractEventLoop]] = {}
        self._controls_lock = threading.Lock()
        self._look = threading.Event()
        self._closing = threading.Event()
        self._watch: threading.Thread | None = None
        self._takeover = Takeover(
            store, processes, version=VERSION, works=works, start=self.start, settle=lambda run_id: self.on_end(run_id)
        )

    def open(self) -> None:
        """Launch DBOS, tell that this process lives and take over what dead ones have left; a second time does nothing.

        Raises StorageError when the database cannot be used and ResearchUnavailableError when DBOS does not start.
        """
        global _open
        with _opening:
            if _open is self:
                return
            if _open is not None:
                raise ResearchUnavailableError("Another desk of this process has research open.")
            self._closing.clear()
            self._processes.beat()  # opens the database first: DBOS finds it as we set it up
            self._launch()
            _open = self
        self._watch = threading.Thread(target=self._keep_watch, name="maekrak-research-watch", daemon=True)
        self._watch.start()

    def _launch(self) -> None:
        from dbos import DBOS

        own = logging.getLogger("dbos")
        if not own.handlers:  # else DBOS writes to the screen itself, past what keeps secrets out of the log
            own.addHandler(logging.NullHandler())
        try:
            DBOS(config=self._config())
            if not self._works:
                DBOS.listen_queues([])
            DBOS.launch()
            limits = self.parts.limits
            DBOS.register_queue(
                QUEUE,
                worker_concurrency=limits.runs_at_once,
                global_concurrency=limits.runs_everywhere or None,
                polling_interval_sec=SHARED_QUEUE_LOOK_S if self._database.shared else QUEUE_LOOK_S,
                # Its bounds are in the database, the same for all: one that works on no run has no say in them.
                on_conflict="always_update" if self._works else "never_update",
            )
        except Exception as error:  # noqa: BLE001 - whatever a database says, research is not there, and says so
            DBOS.destroy()
            logger.error("Research cannot start: %s", type(error).__name__)  # its text may hold the address with the password
            raise ResearchUnavailableError(f"DBOS does not start: {type(error).__name__}.") from None

    def _config(self) -> DBOSConfig:
        from search_core.research.plain_values import PlainValues

        return {
            "name": "maekrak",
            "system_database_url": self._database.url.get_secret_value(),
            "sys_db_pool_size": _CONNECTIONS if self._database.shared else 1,
            "log_level": "ERROR",
            "application_version": VERSION,
            "executor_id": self._processes.id,
            "serializer": PlainValues(),
            "notification_listener_polling_interval_sec": 0.1,
            "enable_otlp": False,
        }

    def close(self) -> None:
        """Leave what this process works on to the next, and end; a second time does nothing."""
        global _open
        with _opening:
            if _open is not self:
                return
            from dbos import DBOS

            self._closing.set()
            self._look.set()
            if self._watch is not None:
                self._watch.join(5)
            DBOS.destroy()
            _open = None
        try:
            self._processes.leave()
        except MaekrakError as error:
            logger.warning("This process could not take leave of the others: %s", error)

    def start(self, run_id: str, leg: str, *, at_once: bool = False) -> None:
        """Put *leg* of a run into the queue, or begin it here *at_once*; a leg that was begun before is left alone."""
        from dbos import DBOS, SetWorkflowID

        with SetWorkflowID(leg):
            if at_once:
                DBOS.start_workflow(self._workflow, run_id, leg)
            else:
                DBOS.enqueue_workflow(QUEUE, self._workflow, run_id, leg)

    def read(self, leg: str, offset: int) -> Reading:
        """Return the values of a leg's stream from *offset* on that are there."""
        from dbos import DBOS, error

        values: list[list[dict[str, Any]]] = []
        try:
            values.extend(DBOS.read_stream(leg, STREAM, offset=offset, timeout_seconds=0))
        except error.DBOSStreamTimeoutError:
            return Reading(values)
        except error.DBOSNonExistentWorkflowError:
            return Reading(values, unknown=True)
        return Reading(values, over=True)

    def forget(self, legs: tuple[str, ...]) -> None:
        """Delete what DBOS keeps of some legs."""
        from dbos import DBOS

        DBOS.delete_workflows(list(legs))

    def attach(self, run_id: str, control: Control) -> None:
        """Let *control*, of the running loop, hear what is wished of a run."""
        with self._controls_lock:
            self._controls[run_id] = (control, asyncio.get_running_loop())
        self._look.set()

    def detach(self, run_id: str, control: Control) -> None:
        """Let *control* hear no more."""
        with self._controls_lock:
            if self._controls.get(run_id, (None,))[0] is control:
                del self._controls[run_id]

    def look(self) -> None:
        """Look for wishes now."""
        self._look.set()

    def _keep_watch(self) -> None:
        """Hand wishes to the runs here, say that this process lives, and take over from those that do not."""
        beaten = -BEAT_S
        while not self._closing.is_set():
            try:
                self._hear()
                if time.monotonic() - beaten >= BEAT_S:
                    beaten = time.monotonic()
                    self._processes.beat()
                    self._takeover.look()
            except MaekrakError as error:
                logger.warning("Research goes on without its database for a moment: %s", error)
            except Exception:
                logger.exception("Watching over research failed; it goes on")
            self._look.wait(LOOK_S)
            self._look.clear()

    def _hear(self) -> None:
        with self._controls_lock:
            controls = dict(self._controls)
        if not controls:
            return
        for run_id, commands in self.store.commands(controls).items():
            control, loop = controls[run_id]
            if commands and not loop.is_closed():
                loop.call_soon_threadsafe(control.hear, commands)


def current() -> Engine:
    """Return the engine that is open; raises ResearchUnavailableError when none is."""
    if _open is None:
        raise ResearchUnavailableError("Research is closed.")
    return _open
