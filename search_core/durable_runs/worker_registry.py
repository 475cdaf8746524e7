"""The processes that work on runs, and which of them have died without deregistering."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import and_, delete, insert, or_, select, update

from search_core.storage import Database
from search_core.storage.tables import RESEARCH_PROCESSES

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

    def __init__(self, database: Database, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
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
