"""Background work that pages can look at: any job, or a search."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

from search_core.domain.query import ConstructedQuery
from search_core.domain.reply import ProviderReply
from search_core.domain.report import Question, SearchOptions, SearchReport
from search_core.errors import MaekrakError

logger = logging.getLogger(__name__)
T = TypeVar("T")

Phase = Literal["queued", "understanding", "asking", "scoring", "summarizing", "done", "cancelled", "failed"]
SEARCHES_AT_ONCE = 12
"""Most searches at once; more would slow down each other, the pages and /healthz."""
MAX_KEPT_JOBS = 200
"""Most finished searches in memory, which pages can show again; the oldest are dropped first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchProgress:
    """The state of a search at one moment."""

    phase: Phase
    constructed: ConstructedQuery | None = None
    waiting: tuple[str, ...] = ()
    """Names of providers that were asked and have not answered yet."""
    replies: tuple[ProviderReply, ...] = ()
    report: SearchReport | None = None
    """The results so far, first of the services that have answered, at last of all while summaries are written; None before."""
    elapsed_s: float = 0.0


async def take_turn(turns: asyncio.Semaphore, work: Coroutine[Any, Any, T], tell_waiting: Callable[[], object]) -> T:
    """Return the result of *work*, run when *turns* admits it; *tell_waiting* is called if it has to wait."""
    try:
        if turns.locked():
            tell_waiting()
        async with turns:
            return await work
    finally:
        work.close()  # it has not begun where its turn never came


class Job(Generic[T]):
    """Background work that any thread may look at, wait for and stop."""

    def __init__(self, snapshot: T, cancel: Callable[[], object] = lambda: None, owner: str = "") -> None:
        self.id = secrets.token_urlsafe(16)
        """The id of the job within this process, which cannot be guessed."""
        self.owner = owner
        """The only user who may see the job; empty without a login."""
        self._snapshot = snapshot
        self._cancel = cancel
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def snapshot(self) -> T:
        """Return how far the job has come."""
        with self._lock:
            return self._snapshot

    def note(self, snapshot: T) -> None:
        """Record the job's progress; ignored after its end."""
        with self._lock:
            if not self._ended.is_set():
                self._snapshot = snapshot

    @property
    def done(self) -> bool:
        """Return whether it has ended, in whatever way."""
        return self._ended.is_set()

    @property
    def settled(self) -> bool:
        """Return whether it has ended and its results are complete."""
        return self.done

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait for the end and return whether it came within *timeout_s* seconds."""
        return self._ended.wait(timeout_s)

    def cancel(self) -> None:
        """Stop the job at once; one that has ended stays as it is."""
        self._cancel()


JobT = TypeVar("JobT", bound=Job[Any])


class Jobs(Generic[JobT]):
    """Keeps this process's jobs by id; above *most* jobs, the oldest finished ones are dropped."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._jobs: dict[str, JobT] = {}
        self._lock = threading.Lock()

    def add(self, job: JobT, admit: Callable[[Sequence[JobT]], None] = lambda _: None) -> None:
        """Add *job*, dropping the oldest finished ones over the limit; raises what *admit* raises for the running ones."""
        with self._lock:
            admit([each for each in self._jobs.values() if not each.done])
            self._jobs[job.id] = job
            settled = [each.id for each in self._jobs.values() if each.settled]
            for old_id in settled[: max(0, len(self._jobs) - self._most)]:
                del self._jobs[old_id]

    def forget(self, job_ids: Collection[str]) -> None:
        """Drop these jobs; a running one continues for its holders."""
        with self._lock:
            for job_id in job_ids:
                self._jobs.pop(job_id, None)

    def get(self, job_id: str, owner: str | None = None) -> JobT | None:
        """Return the job with that id (of *owner*, if given); None if it is unknown or dropped."""
        with self._lock:
            job = self._jobs.get(job_id)
        return job if job is not None and owner in (None, job.owner) else None

    def where(self, matches: Callable[[JobT], bool]) -> tuple[JobT, ...]:
        """Return the jobs for which *matches* is true, oldest first."""
        with self._lock:
            return tuple(job for job in self._jobs.values() if matches(job))


class SearchJob(Job[SearchProgress]):
    """One search started in the background; safe to read from any thread.

    ``report`` and ``error`` are None until the search has ended; a cancelled search has neither.
    """

    def __init__(self, question: Question, options: SearchOptions, owner: str = "") -> None:
        super().__init__(SearchProgress(phase="understanding"), owner=owner)
        self.question, self.options = question, options
        self._finish: Callable[[], object] = self.cancel
        self._started = time.monotonic()
        self._scored: Future[SearchReport] = Future()
        self.report: SearchReport | None = None
        self.error: MaekrakError | None = None

    def follow(self, future: Future[SearchReport], finish: Callable[[], object] | None = None) -> None:
        """Connect the job to the running search; *finish* makes it end with what it has."""
        self._cancel, self._finish = future.cancel, finish or self.cancel
        future.add_done_callback(self._end)

    def note(self, snapshot: SearchProgress) -> None:
        """Record the search's progress; its results are usable while summaries are still written."""
        super().note(snapshot)
        report = snapshot.report if snapshot.phase == "summarizing" else None
        if report is not None and not report.waiting and not self._scored.done():  # what was in sight early is not all
            self._scored.set_result(report)

    async def results(self) -> SearchReport:
        """Return the results once all are scored; a caller who stops waiting does not stop the search.

        Raises MaekrakError if there are none.
        """
        return await asyncio.shield(asyncio.wrap_future(self._scored))

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
                self._snapshot = replace(self._snapshot, phase=phase, waiting=(), elapsed_s=time.monotonic() - self._started)
                self._ended.set()
            if not self._scored.done() and self.report is not None:
                self._scored.set_result(self.report)
            elif not self._scored.done():
                self._scored.set_exception(self.error or MaekrakError("The search was stopped", korean="검색을 멈췄어요."))

    def snapshot(self) -> SearchProgress:
        """Return the search's current state; the elapsed time includes waiting for others."""
        with self._lock:
            if self._ended.is_set():
                return self._snapshot
            return replace(self._snapshot, elapsed_s=time.monotonic() - self._started)

    def finish(self) -> None:
        """End the search at once with what it has, or as cancelled if it has nothing."""
        self._finish()
