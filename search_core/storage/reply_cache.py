"""Answers of search services, kept on disk between runs."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import diskcache

from search_core.domain import KeptReply, SearchResult, SearchStatus
from search_core.runtime import Clock, utc_now
from search_core.storage.bounded_worker import BoundedWorker, WorkerBusyError
from search_core.storage.kept_row import STALE_FOR, RefusedRowError, believed, written
from search_core.storage.safe_disk import SafeDisk
from search_core.storage.sqlite_file import FileFault, connect, fault_of, is_broken, move_aside

T = TypeVar("T")
logger = logging.getLogger(__name__)

MAX_BYTES = 256 << 20
"""Some ten thousand answers; those stored longest ago make room."""
_PATIENCE_S = 0.5
"""A disk that takes longer for one answer hangs; asking anew takes about as long, and may cost money."""
_IN_LINE_S = 1.0
"""Many searches at once on a busy machine wait for each other so long rather than ask a paid service again."""
_MAX_RECENT = 100
_MAX_RECENT_BYTES = 256 << 10
"""Answers kept in memory besides, and the largest of them."""
_LOCK_WAIT_S = 0.1
_FAULTS = (sqlite3.Error, diskcache.Timeout, OSError, LookupError, AttributeError, TypeError, ValueError, ArithmeticError)
"""What diskcache raises over files that are locked, gone, damaged or planted."""
_REOPEN_AFTER_S = 5.0
"""A folder that cannot be used is tried again after this pause, not at each search."""


class DiskReplyCache:
    """Keeps answers in *directory* by opaque key, safe to use from many threads and processes.

    Nothing that is wrong with the disk reaches the caller: what is broken, locked, full, read-only or planted is a miss, within
    0.6 s, and logged once. A broken file is moved aside and a new one begun. While the disk is too busy to answer, the answers
    used last come from memory.
    """

    def __init__(
        self,
        directory: Path | str,
        *,
        now: Clock = utc_now,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        """Take a folder, and how long one call may wait for the disk; nothing is opened yet."""
        self._directory = Path(directory)
        self._now = now
        self._worker = BoundedWorker("maekrak-replies", patience_s, _IN_LINE_S)
        self._recent = _RecentRows()
        self._cache: diskcache.Cache | None = None
        self._retry_at = 0.0
        self._reported: set[str] = set()

    def get(self, key: str) -> KeptReply | None:
        """Return the answer kept under *key*, fresh or not, or None."""
        text = self._run_guarded(lambda cache: cache.get(key), self._recent.get(key))
        if text is None:
            return None
        self._recent.put(key, text)
        try:
            return believed(text, self._now())
        except ValueError as error:
            self._report("row", error)
            return None

    def put(self, key: str, status: SearchStatus, results: tuple[SearchResult, ...], ttl_s: float) -> None:
        """Keep an answer, fresh for *ttl_s* seconds from now; failures are never kept."""
        if not status.answered:
            return
        try:
            text = written(status, results, self._now(), ttl_s)
        except ValueError as error:
            self._report("value", error)
            return
        self._recent.put(key, text)
        self._run_guarded(lambda cache: cache.set(key, text, expire=ttl_s + STALE_FOR.total_seconds()))

    def close(self) -> None:
        """Close the files; a closed cache opens again when it is used."""
        try:
            self._worker.call(self._close)
        except WorkerBusyError as error:
            self._report("busy", error)
        self._worker.close()

    def _run_guarded(self, work: Callable[[diskcache.Cache], T], if_busy: T | None = None) -> T | None:
        try:
            return self._worker.call(lambda: self._attempt(work))
        except WorkerBusyError as error:
            self._report("busy", error)
            return if_busy
        except RefusedRowError as error:
            self._report("row", error)
        except _FAULTS as error:
            logger.warning("The reply cache in %s is of no use now: %s", self._directory.name, error)
        return None

    def _attempt(self, work: Callable[[diskcache.Cache], T]) -> T | None:
        """Do *work* in the worker's thread; a broken file is replaced and the work tried once more."""
        if time.monotonic() < self._retry_at:
            return None
        try:
            return self._run_work(work)
        except RefusedRowError:
            raise
        except _FAULTS as error:
            self._close()
            if self._is_news("file"):
                logger.warning("The reply cache counts as empty (file): %s: %s", type(error).__name__, error)
            if _is_lock(error):
                raise WorkerBusyError("the file is locked") from error
            if not self._heals(error):
                self._retry_at = time.monotonic() + _REOPEN_AFTER_S
                return None
        return self._run_work(work)

    def _run_work(self, work: Callable[[diskcache.Cache], T]) -> T:
        if self._cache is None:
            self._cache = self._open()
        result = work(self._cache)
        self._reported.discard("file")
        self._reported.discard("busy")
        return result

    def _open(self) -> diskcache.Cache:
        """Return an open cache; a lock held elsewhere raises here at once, while diskcache's constructor would wait a minute."""
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = connect(self._directory / diskcache.core.DBNAME, _LOCK_WAIT_S)
        try:
            probe.execute("BEGIN IMMEDIATE")
            probe.execute("ROLLBACK")
        finally:
            probe.close()
        planted_nothing: dict[str, Any] = {**diskcache.DEFAULT_SETTINGS, "size_limit": MAX_BYTES}
        return diskcache.Cache(str(self._directory), timeout=_LOCK_WAIT_S, disk=SafeDisk, **planted_nothing)

    def _heals(self, error: Exception) -> bool:
        """Move a broken file aside; False when *error* passes by itself or the file cannot be moved."""
        if isinstance(error, diskcache.Timeout) or not is_broken(error):
            return False
        try:
            move_aside(self._directory / diskcache.core.DBNAME)
        except OSError as trouble:
            self._report("move", trouble)
            return False
        return True

    def _close(self) -> None:
        cache, self._cache = self._cache, None
        if cache is not None:
            cache.close()

    def _report(self, kind: str, error: BaseException) -> None:
        """Log the first trouble of a kind; the next ones would only repeat it."""
        if self._is_news(kind):
            logger.warning("The reply cache counts as empty (%s): %s: %s", kind, type(error).__name__, error)

    def _is_news(self, kind: str) -> bool:
        news = kind not in self._reported
        self._reported.add(kind)
        return news


class _RecentRows:
    """Holds the rows used last, in memory; safe to use from any thread."""

    def __init__(self) -> None:
        self._rows: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            return self._rows.get(key)

    def put(self, key: str, row: object) -> None:
        with self._lock:
            self._rows.pop(key, None)
            if isinstance(row, bytes) and len(row) <= _MAX_RECENT_BYTES:
                self._rows[key] = row
            while len(self._rows) > _MAX_RECENT:
                self._rows.popitem(last=False)


def _is_lock(error: Exception) -> bool:
    return isinstance(error, diskcache.Timeout) or fault_of(error) is FileFault.LOCKED
