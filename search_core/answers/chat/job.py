"""An answer in progress, which any thread may read, follow and stop; stored at intervals to show that it is alive."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace

from search_core.domain.conversation import (
    INTERRUPTED,
    AnswerEvent,
    AnswerFinished,
    AnswerRecord,
    Message,
    MessageKind,
    MessageState,
    StancesCompared,
    WebAnswerFailed,
    WebAnswerFinished,
    WebSourcesFound,
)
from search_core.errors import InputError, MaekrakError
from search_core.job import Job
from search_core.runtime import ASKED_BY, LoopSignal, call_on

logger = logging.getLogger(__name__)

Events = AsyncGenerator[AnswerEvent]
SAVE_EVERY_S = 2.0
"""Seconds between saves of a running answer; an answer not saved for ten times as long counts as abandoned."""
UNEXPECTED = "답하는 중에 예상하지 못한 문제가 생겼어요. 다시 물어봐 주세요."
_MILESTONES = (AnswerFinished, WebSourcesFound, StancesCompared, WebAnswerFinished, WebAnswerFailed)
NOT_SAVED = "대화를 저장하지 못했어요. 이 창을 닫으면 사라질 수 있어요."


class ConversationBusyError(InputError):
    """Says that an answer in the conversation is still in progress."""

    def __init__(self) -> None:
        super().__init__(
            "An answer of this conversation is still being given.",
            korean="앞선 답변이 아직 나오고 있어요. 끝나기를 기다리거나 멈춘 뒤에 다시 해 주세요.",
        )


class TooManyAnswersError(MaekrakError):
    """Says that this process is already giving as many answers as it may."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"{most} answers are being given already.",
            korean="지금 답하고 있는 질문이 많아 더 받을 수 없어요. 잠시 뒤에 다시 물어봐 주세요.",
        )


class AlreadyCheckedError(InputError):
    """Says that an answer has already been checked online, or is being checked."""

    def __init__(self) -> None:
        super().__init__(
            "This answer was checked online before, or is being checked.",
            korean="이 답변은 이미 온라인에서 확인했거나 확인하고 있어요.",
        )


def admit(job: AnswerJob, running: Sequence[AnswerJob], most: int) -> None:
    """Raise an error if *job* may not start while the *running* jobs do their work.

    ConversationBusyError while its conversation is being answered, AlreadyCheckedError while the same message is being checked,
    and TooManyAnswersError if *most* jobs are running.
    """
    beside = [other for other in running if other.conversation_id == job.conversation_id]
    if job.kind is MessageKind.CHECK:
        if any(other.kind is MessageKind.CHECK and other.about == job.about for other in beside):
            raise AlreadyCheckedError
    elif any(other.kind is MessageKind.ANSWER for other in beside):
        raise ConversationBusyError
    if len(running) >= most:
        raise TooManyAnswersError(most)


class AnswerJob(Job[Message]):
    """One answer, or one check, of a conversation; safe to read from any thread.

    The job has ended when ``done``; it is ``settled`` once its end was stored or the attempt to store it failed.
    """

    def __init__(self, conversation_id: str, owner: str, message: Message, question: Message) -> None:
        super().__init__(replace(message, state=MessageState.RUNNING, record=message.record or AnswerRecord()), owner=owner)
        self.id = message.id
        self.conversation_id = conversation_id
        self.kind = message.kind
        self.about = message.about
        self.question = question
        """The question that is answered, or whose answer is checked."""
        self._events: list[AnswerEvent] = []
        self._news = LoopSignal()
        self._stop: Callable[[], None] | None = None
        self._unsaved = False
        self._settled = threading.Event()
        self.stopping = False
        """True once ``cancel`` was called."""

    def snapshot(self) -> Message:
        """Return the answer so far, with a notice when it could not be stored."""
        message = self.to_store()
        if not self._unsaved or message.record is None:
            return message
        notice = f"{message.record.notice} {NOT_SAVED}".strip()
        return replace(message, record=replace(message.record, notice=notice))

    def to_store(self) -> Message:
        """Return the answer as it is to be stored."""
        return super().snapshot()

    @property
    def settled(self) -> bool:
        """Return whether the answer has ended and was stored, or could not be."""
        return self._settled.is_set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until the job is completely stored, at most *timeout_s* seconds, and return whether it is."""
        return self._settled.wait(timeout_s)

    def cancel(self) -> None:
        """Stop the answer, closing its sockets and keeping its text; does nothing after its end."""
        with self._lock:
            self.stopping = True
            stop = self._stop
        if stop is not None:
            stop()

    def events(self, after: int = 0) -> tuple[tuple[int, AnswerEvent], ...]:
        """Return the events so far with their numbers from 1, without the first *after* ones."""
        start = max(0, after)
        with self._lock:
            return tuple(enumerate(self._events[start:], start=start + 1))

    async def follow(self, after: int = 0) -> AsyncGenerator[tuple[int, AnswerEvent]]:
        """Yield the events with their numbers, from the first on, until the answer ends; runs on any event loop.

        Leaving early costs nothing: close the generator or cancel its task.
        """
        with self._news.listen() as news:
            while True:
                news.clear()
                ended = self.done  # read first: all events before the end are then in the list
                for number, event in self.events(after):
                    after = number
                    yield number, event
                if ended:
                    return
                await news.wait()

    @property
    def followers(self) -> int:
        """Return the current number of followers."""
        return self._news.listeners

    def begin(self, stop: Callable[[], None]) -> bool:
        """Set the function that stops the answer; False if it was already cancelled."""
        with self._lock:
            self._stop = stop
            return not self.stopping

    def add_event(self, event: AnswerEvent) -> None:
        """Add *event* and wake the followers."""
        with self._lock:
            self._events.append(event)
            self._snapshot = replace(self._snapshot, record=(self._snapshot.record or AnswerRecord()).after(event))
        self._news.set()

    def end(self, state: MessageState, error: str = "") -> None:
        """End the answer; *error* is a Korean sentence for a failure. Only the first end counts."""
        with self._lock:
            if self._ended.is_set():
                return
            record = replace(self._snapshot.record or AnswerRecord(), error=error)
            self._snapshot = replace(self._snapshot, state=state, record=record)
            self._ended.set()
        self._news.set()

    def mark_saved(self) -> None:
        """Mark the job as settled: nothing more will be stored."""
        self._settled.set()

    def set_saved(self, saved: bool) -> None:
        """Record whether the answer so far could be stored."""
        self._unsaved = not saved


async def run_answer(
    job: AnswerJob, events: Callable[[], Events], store: Callable[[], None], *, every_s: float = SAVE_EVERY_S
) -> None:
    """Add *events* to *job* until they end, fail or are stopped; call *store* at milestones, at intervals and at the end.

    *store* runs on a worker thread, one call at a time; its errors do not stop the answer. An unexpected error of *events* ends
    the answer as failed and is raised.
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
        await asyncio.to_thread(saver.save)
        job.mark_saved()


async def _publish_events(job: AnswerJob, events: Callable[[], Events], saver: _JobSaver) -> tuple[MessageState, str]:
    try:
        async with aclosing(events()) as source:
            async for event in source:
                job.add_event(event)
                if isinstance(event, _MILESTONES):
                    saver.wanted.set()
    except asyncio.CancelledError:
        return (MessageState.STOPPED, "") if job.stopping else (MessageState.FAILED, INTERRUPTED)
    except MaekrakError as error:
        logger.warning("An answer ended early (%s): %s", type(error).__name__, error)
        return MessageState.FAILED, error.korean
    return MessageState.COMPLETE, ""


class _JobSaver:
    """Stores one job on worker threads, one write at a time."""

    def __init__(self, job: AnswerJob, store: Callable[[], None]) -> None:
        self._job = job
        self._store = store
        self.wanted = asyncio.Event()
        """Set on the loop when there is something to store soon."""
        self._one_at_a_time = threading.Lock()

    async def save_always(self, every_s: float) -> None:
        """Store the job when ``wanted`` is set, and at least every *every_s* seconds to show that this process is alive."""
        while True:
            with suppress(TimeoutError):  # asyncio.wait_for swallows a cancellation that comes together with news
                async with asyncio.timeout(every_s):
                    await self.wanted.wait()
            self.wanted.clear()
            await asyncio.to_thread(self.save)

    def save(self) -> None:
        """Store the job; blocks while another thread does."""
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
