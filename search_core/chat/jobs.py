"""The answers of this process: those under way, and for a while those that have ended."""

from __future__ import annotations

import threading
from collections.abc import Callable

from search_core.chat.errors import AlreadyCheckedError, ConversationBusyError, TooManyAnswersError
from search_core.chat.job import AnswerJob
from search_core.domain import MessageKind

MAX_KEPT_JOBS = 100
"""Ended answers that can still be followed; the oldest go first."""


class AnswerJobs:
    """Keeps jobs by id; safe to use from any thread."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._jobs: dict[str, AnswerJob] = {}
        self._lock = threading.Lock()

    def add(self, job: AnswerJob) -> None:
        """Keep *job*, letting go of the oldest settled ones past the limit.

        Raises TooManyAnswersError, ConversationBusyError when the conversation is being answered, and AlreadyCheckedError when
        the same message is being checked.
        """
        with self._lock:
            running = [each for each in self._jobs.values() if not each.done]
            beside = [each for each in running if each.conversation_id == job.conversation_id]
            if job.kind is MessageKind.CHECK:
                if any(each.kind is MessageKind.CHECK and each.about == job.about for each in beside):
                    raise AlreadyCheckedError
            elif any(each.kind is MessageKind.ANSWER for each in beside):
                raise ConversationBusyError
            if len(running) >= self._at_once:
                raise TooManyAnswersError(self._at_once)
            self._jobs[job.id] = job
            settled = [each.id for each in self._jobs.values() if each.settled]
            for old_id in settled[: max(0, len(self._jobs) - MAX_KEPT_JOBS)]:
                del self._jobs[old_id]

    def get(self, job_id: str) -> AnswerJob | None:
        """Return the job of that id, or None when it is unknown or long gone."""
        with self._lock:
            return self._jobs.get(job_id)

    def in_conversation(self, conversation_id: str) -> tuple[AnswerJob, ...]:
        """Return the jobs of a conversation, oldest first."""
        return self._where(lambda job: job.conversation_id == conversation_id)

    def unsettled_ids(self) -> tuple[str, ...]:
        """Return the ids of the jobs whose end is not stored yet."""
        return tuple(job.id for job in self._where(lambda job: not job.settled))

    def drop(self, job: AnswerJob) -> None:
        """Let go of *job*."""
        with self._lock:
            self._jobs.pop(job.id, None)

    def _where(self, wanted: Callable[[AnswerJob], bool]) -> tuple[AnswerJob, ...]:
        with self._lock:
            return tuple(job for job in self._jobs.values() if wanted(job))
