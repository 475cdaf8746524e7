"""A search that goes on while the page looks at it."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from typing import Any, Literal

from search_core.domain import ConstructedQuery, ProviderReply, Question, SearchOptions, SearchReport
from search_core.errors import MaekrakError

logger = logging.getLogger(__name__)

Phase = Literal["understanding", "asking", "scoring", "summarizing", "done", "cancelled", "failed"]
MAX_KEPT_JOBS = 200
"""Finished searches a page can still come back to; the oldest go first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchProgress:
    """A search as it stands at one moment."""

    phase: Phase
    constructed: ConstructedQuery | None = None
    waiting: tuple[str, ...] = ()
    """Names of providers that were asked and have not answered yet."""
    replies: tuple[ProviderReply, ...] = ()
    report: SearchReport | None = None
    """The results so far: of the services that have answered, then of all while summaries are being written; None before that."""
    elapsed_s: float = 0.0


class _Job:
    """Something that goes on in the background until it has ended, in whatever way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = threading.Event()

    @property
    def done(self) -> bool:
        """Return whether it has ended, in whatever way."""
        return self._ended.is_set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait for the end and return whether it came within *timeout_s* seconds."""
        return self._ended.wait(timeout_s)


class SearchJob(_Job):
    """One search started in the background; safe to read from any thread.

    ``report`` and ``error`` are None until the search has ended; a cancelled search has neither.
    """

    def __init__(self, question: Question, options: SearchOptions) -> None:
        super().__init__()
        self.id = secrets.token_urlsafe(16)
        self.question, self.options = question, options
        self._progress = SearchProgress(phase="understanding")
        self._future: Future[SearchReport] | None = None
        self._finish: Callable[[], object] = self.cancel
        self._started = time.monotonic()
        self.report: SearchReport | None = None
        self.error: MaekrakError | None = None
        self._found = threading.Event()

    def watch(self, progress: SearchProgress) -> None:
        """Take note of *progress*; what arrives after the end is dropped."""
        with self._lock:
            if not self._ended.is_set():
                self._progress = progress
                if progress.report is not None:
                    self._found.set()

    def follow(self, future: Future[SearchReport], finish: Callable[[], object] | None = None) -> None:
        """Tie the job to the running search; *finish* asks it to end with what there is."""
        self._future, self._finish = future, finish or self.cancel
        future.add_done_callback(self._end)

    def _end(self, future: Future[SearchReport]) -> None:
        phase: Phase = "done"
        try:
            self.report = future.result()
        except CancelledError:
            phase = "cancelled"
        except MaekrakError as error:
            self.error, phase = error, "failed"
        except Exception as error:
            phase = "failed"
            self.error = MaekrakError(
                f"The search ended unexpectedly: {type(error).__name__}",
                korean="검색 중에 예상하지 못한 문제가 생겼어요. 다시 시도해 주세요.",
            )
            raise
        finally:
            with self._lock:
                self._progress = replace(self._progress, phase=phase, waiting=(), elapsed_s=time.monotonic() - self._started)
                self._ended.set()
                self._found.set()

    def snapshot(self) -> SearchProgress:
        """Return the search as it stands now, its elapsed time running on while it waits."""
        with self._lock:
            if self._ended.is_set():
                return self._progress
            return replace(self._progress, elapsed_s=time.monotonic() - self._started)

    def cancel(self) -> None:
        """Stop the search and close its sockets; does nothing when it has ended."""
        if self._future is not None:
            self._future.cancel()

    def finish(self) -> None:
        """Have the search end at once with what there is, as cancelled where there is nothing; read the job for the end."""
        self._finish()

    def wait_for_results(self, timeout_s: float | None = None) -> bool:
        """Wait for results, their summaries missing or not, or the end; return whether it came within *timeout_s* seconds."""
        return self._found.wait(timeout_s)


class ProbeJob(_Job):
    """One round of asking every search service once, started in the background; safe to read from any thread."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self._waiting = names
        self._replies: tuple[ProviderReply, ...] = ()

    def hear(self, reply: ProviderReply) -> None:
        """Take note of one reply."""
        with self._lock:
            self._replies = (*self._replies, reply)
            self._waiting = tuple(name for name in self._waiting if name != reply.provider)

    def follow(self, future: Future[Any]) -> None:
        """Tie the job to the running requests."""
        future.add_done_callback(self._end)

    def _end(self, future: Future[Any]) -> None:
        if not future.cancelled() and (error := future.exception()) is not None:
            logger.error("Asking every search service once failed unexpectedly", exc_info=error)
        with self._lock:
            self._waiting = ()
        self._ended.set()

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the names of the services that have not answered yet."""
        with self._lock:
            return self._waiting

    @property
    def replies(self) -> tuple[ProviderReply, ...]:
        """Return the replies so far, in order of arrival."""
        with self._lock:
            return self._replies


class JobRegistry:
    """Keeps the searches of this process by id, the latest ``MAX_KEPT_JOBS`` of them."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, SearchJob] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, job: SearchJob) -> None:
        """Keep *job*, letting go of the oldest ended ones past the limit."""
        with self._lock:
            self._jobs[job.id] = job
            for old_id in [old.id for old in self._jobs.values() if old.done][: max(0, len(self._jobs) - MAX_KEPT_JOBS)]:
                del self._jobs[old_id]

    def forget(self, job_ids: Collection[str]) -> None:
        """Let go of these searches; one that is under way goes on for who holds it."""
        with self._lock:
            for job_id in job_ids:
                self._jobs.pop(job_id, None)

    def get(self, job_id: str) -> SearchJob | None:
        """Return the search of that id, or None when it is unknown or long gone."""
        with self._lock:
            return self._jobs.get(job_id)
