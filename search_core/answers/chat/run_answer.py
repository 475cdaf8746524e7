"""Runs one answer: its events go to the job as they come; by storing the job now and then the store knows that it runs."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from search_core.answers.chat.job import AnswerJob
from search_core.domain import (
    AnswerEvent,
    AnswerFinished,
    Message,
    MessageState,
    QuestionTranscribed,
    StancesCompared,
    WebAnswerFailed,
    WebAnswerFinished,
    WebSourcesFound,
)
from search_core.domain.conversation import INTERRUPTED, title_of
from search_core.errors import MaekrakError
from search_core.runtime import ASKED_BY, call_on

if TYPE_CHECKING:
    from search_core.storage.conversations import ConversationStore

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class JobPersister:
    """Stores one job with its question, which names the conversation where it has no name yet."""

    store: ConversationStore
    job: AnswerJob
    stored: Message | None
    """The question as the store has it."""

    def __call__(self) -> None:
        """Store the job so far; one thread at a time. Raises StorageError."""
        job, question = self.job, self.job.question()
        messages = (job.to_store(),) if question == self.stored else (question, job.to_store())
        self.store.put(job.conversation_id, job.owner, *messages, title=title_of(question.text))
        self.stored = question


Events = AsyncGenerator[AnswerEvent]
SAVE_EVERY_S = 2.0
"""The store takes a running answer that was not stored for ten times as long as abandoned."""
UNEXPECTED = "답하는 중에 예상하지 못한 문제가 생겼어요. 다시 물어봐 주세요."
_MILESTONES = (QuestionTranscribed, AnswerFinished, WebSourcesFound, StancesCompared, WebAnswerFinished, WebAnswerFailed)


async def run_answer(
    job: AnswerJob, events: Callable[[], Events], store: Callable[[], None], *, every_s: float = SAVE_EVERY_S
) -> None:
    """Add *events* to *job* until they end, break off or are stopped; *store* it at milestones, at intervals and at the end.

    *store* runs on a worker thread, one call at a time, and may raise what it likes: the answer goes on. An error of *events*
    that was not expected ends the answer as failed, and is raised.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    ASKED_BY.set(job.owner)

    def stop() -> None:
        if not job.done:
            task.cancel()

    saver = _JobSaver(job, store)
    saving = asyncio.create_task(saver.save_always(every_s))
    state, error = MessageState.FAILED, UNEXPECTED
    try:
        begun = job.begin(lambda: call_on(loop, stop))
        state, error = await _publish_events(job, events, saver) if begun else (MessageState.STOPPED, "")
    finally:  # the job must end, or its followers wait for ever
        saving.cancel()
        job.end(state, error)
        await saver.save_last()
        job.mark_saved()


async def _publish_events(job: AnswerJob, events: Callable[[], Events], saver: _JobSaver) -> tuple[MessageState, str]:
    """Add the events to *job* and return how they ended."""
    try:
        async with aclosing(events()) as source:
            async for event in source:
                job.add_event(event)
                saver.save_after(event)
    except asyncio.CancelledError:
        return (MessageState.STOPPED, "") if job.stopping else (MessageState.FAILED, INTERRUPTED)
    except MaekrakError as error:
        logger.warning("An answer ended early (%s): %s", type(error).__name__, error)
        return MessageState.FAILED, error.korean
    return MessageState.COMPLETE, ""


class _JobSaver:
    """Stores one job on worker threads, one write at a time; its methods are called on the loop."""

    def __init__(self, job: AnswerJob, store: Callable[[], None]) -> None:
        self._job = job
        self._store = store
        self._requested = False
        self._task: asyncio.Task[None] | None = None
        self._one_at_a_time = threading.Lock()

    def save_after(self, event: AnswerEvent) -> None:
        """Store the job when *event* is a milestone."""
        if isinstance(event, _MILESTONES):
            self._request_save()

    async def save_always(self, every_s: float) -> None:
        """Store the job every *every_s* seconds, also in silence: by that the store knows that it runs."""
        while True:
            await asyncio.sleep(every_s)
            self._request_save()

    async def save_last(self) -> None:
        """Store the job so far and wait for it."""
        task = self._request_save()
        await asyncio.wait({task})
        while self._requested:  # the loop is being closed: what was under way was cancelled
            await asyncio.wait({self._request_save()})

    def _request_save(self) -> asyncio.Task[None]:
        self._requested = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())
        return self._task

    async def _write(self) -> None:
        while self._requested:
            self._requested = False
            await asyncio.to_thread(self._write_once)

    def _write_once(self) -> None:
        with self._one_at_a_time:  # a cancelled task lets go of its thread, which goes on writing
            try:
                self._store()
            except MaekrakError as error:
                logger.warning("An answer could not be stored; it goes on: %s", error)
                self._job.set_saved(False)
            except Exception:  # events must reach the reader even when they cannot be stored
                logger.exception("An answer could not be stored for an unexpected reason; it goes on")
                self._job.set_saved(False)
            else:
                self._job.set_saved(True)
