"""An answer under way, which any thread may read, follow and stop; and the answers of this process, ended ones for a while."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace

from search_core.answers.chat.errors import AlreadyCheckedError, ConversationBusyError, TooManyAnswersError
from search_core.domain import AnswerEvent, AnswerRecord, Message, MessageKind, MessageState, QuestionTranscribed
from search_core.job import Job, Jobs
from search_core.runtime import LoopSignal

NOT_SAVED = "대화를 저장하지 못했어요. 이 창을 닫으면 사라질 수 있어요."
MAX_KEPT_JOBS = 100
"""Ended answers that can still be followed; the oldest go first."""


class AnswerJobs(Jobs["AnswerJob"]):
    """Keeps the answers and checks of this process."""

    def __init__(self, at_once: int) -> None:
        super().__init__(MAX_KEPT_JOBS)
        self._at_once = at_once

    def start(self, job: AnswerJob) -> None:
        """Keep *job*.

        Raises TooManyAnswersError, ConversationBusyError when the conversation is being answered, and AlreadyCheckedError when
        the same message is being checked.
        """

        def admit(running: Sequence[AnswerJob]) -> None:
            beside = [each for each in running if each.conversation_id == job.conversation_id]
            if job.kind is MessageKind.CHECK:
                if any(each.kind is MessageKind.CHECK and each.about == job.about for each in beside):
                    raise AlreadyCheckedError
            elif any(each.kind is MessageKind.ANSWER for each in beside):
                raise ConversationBusyError
            if len(running) >= self._at_once:
                raise TooManyAnswersError(self._at_once)

        self.add(job, admit)

    def in_conversation(self, conversation_id: str) -> tuple[AnswerJob, ...]:
        """Return the jobs of a conversation, oldest first."""
        return self.where(lambda job: job.conversation_id == conversation_id)


class AnswerJob(Job[Message]):
    """One answer, or one check, of a conversation; safe to read from any thread.

    It has ended when ``done``; it is settled when its end is stored, too, or could not be.
    """

    def __init__(self, conversation_id: str, owner: str, message: Message, question: Message) -> None:
        super().__init__(replace(message, state=MessageState.RUNNING, record=message.record or AnswerRecord()))
        self.id = message.id
        self.conversation_id = conversation_id
        self.owner = owner
        self.kind = message.kind
        self.about = message.about
        self._question = question
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

    def question(self) -> Message:
        """Return the question that is answered, or whose answer is checked; a spoken one has no text until it is written down."""
        with self._lock:
            return self._question

    @property
    def settled(self) -> bool:
        """Return whether the answer has ended and nothing more will be stored of it."""
        return self._settled.is_set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until the job is settled, at most *timeout_s* seconds, and return whether it is."""
        return self._settled.wait(timeout_s)

    def cancel(self) -> None:
        """Stop the answer and close its sockets, keeping what there is; does nothing when it has ended."""
        with self._lock:
            self.stopping = True
            stop = self._stop
        if stop is not None:
            stop()

    def events(self, after: int = 0) -> tuple[tuple[int, AnswerEvent], ...]:
        """Return the events so far with their numbers, from 1, without the first *after* of them."""
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
        """Return how many follow the answer now."""
        return self._news.listeners

    def begin(self, stop: Callable[[], None]) -> bool:
        """Set how the answer is stopped; False when it was cancelled before."""
        with self._lock:
            self._stop = stop
            return not self.stopping

    def add_event(self, event: AnswerEvent) -> None:
        """Add *event* and wake the followers."""
        with self._lock:
            self._events.append(event)
            self._snapshot = replace(self._snapshot, record=(self._snapshot.record or AnswerRecord()).after(event))
            if isinstance(event, QuestionTranscribed):
                self._question = replace(self._question, text=event.text)
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
