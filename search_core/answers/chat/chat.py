"""The chat: conversations, their answers and checks."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from search_core.answers.asked_values import is_keywords
from search_core.answers.chat.conversation_text import RunText, markdown_file
from search_core.answers.chat.job import SAVE_EVERY_S, AlreadyCheckedError, AnswerJob, ConversationBusyError, admit, run_answer
from search_core.answers.chat.memory import memory_of
from search_core.domain.conversation import (
    INTERRUPTED,
    AnswerEvent,
    CheckRequest,
    Conversation,
    ConversationEntry,
    Message,
    MessageKind,
    MessageState,
    title_of,
)
from search_core.domain.report import Question
from search_core.domain.research import ResearchRun, ResearchStatus
from search_core.domain.video import VideoContext
from search_core.errors import InputError, MaekrakError, NotFoundError, StorageError, check_moment
from search_core.job import Jobs
from search_core.search.understanding.question import validate_question

if TYPE_CHECKING:
    from search_core.answers.flow import AnswerFlow
    from search_core.job import SearchJob
    from search_core.runtime import LoopThread
    from search_core.storage.conversations import ConversationStore

logger = logging.getLogger(__name__)

Started = TypeVar("Started")
ANSWERS_AT_ONCE = 32
MAX_KEPT_JOBS = 100
"""Ended answers that can still be followed; the oldest go first."""

DELETED = "이 조사는 지워져서 더 볼 수 없어요. 같은 질문을 다시 조사할 수 있어요."
_STATES = {
    ResearchStatus.COMPLETE: MessageState.COMPLETE,
    ResearchStatus.FINISHED_EARLY: MessageState.COMPLETE,
    ResearchStatus.STOPPED: MessageState.STOPPED,
    ResearchStatus.FAILED: MessageState.FAILED,
}
LoadRun = Callable[[str, str], ResearchRun]
"""Returns a run so far, given by its id and its owner; raises MaekrakError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatParts:
    """Holds the parts that a chat is built from."""

    loop: LoopThread
    store: ConversationStore
    answers: AnswerFlow
    check: Callable[[CheckRequest], AsyncGenerator[AnswerEvent]]
    """Checks an answer on the web."""
    load_run: LoadRun | None = None
    """None if there is no research."""
    run_text: RunText | None = None
    web_configured: Callable[[], bool] = lambda: False
    """Returns whether a web search service is configured, even if it is paused after failures; sends no request."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    answers_at_once: int = ANSWERS_AT_ONCE
    """Most answers and checks that may run in this process at the same time."""
    save_every_s: float = SAVE_EVERY_S
    """Seconds between two saves of a running answer."""


class Chat:
    """Stores conversations and answers in them; one per process, all of it synchronous and safe to call from many threads.

    Every method that names a conversation raises ConversationNotFoundError when *owner* has none of that id, and StorageError
    when the store cannot be read. Failures of an answer are reported by its job.
    """

    def __init__(self, parts: ChatParts) -> None:
        self._parts = parts
        self._jobs = Jobs[AnswerJob](MAX_KEPT_JOBS)

    def new(self, owner: str, video: VideoContext | None = None) -> ConversationEntry:
        """Create a conversation about *video*; its first question becomes its title."""
        return self._parts.store.create(owner, video)

    def conversations(self, owner: str, video_key: str | None = None) -> tuple[ConversationEntry, ...]:
        """Return *owner*'s conversations, last changed first, all or those about one video."""
        return self._parts.store.entries(owner, video_key)

    def open(self, conversation_id: str, owner: str) -> Conversation:
        """Return a conversation with its messages, including unfinished answers, and its research runs.

        A message of a process that has ended counts as running for some twenty seconds, then as failed.
        """
        jobs = self._jobs_of(conversation_id)
        conversation = self._parts.store.load(conversation_id, owner)
        running = {job.id for job in jobs}
        if any(message.state is MessageState.RUNNING and message.id not in running for message in conversation.messages):
            conversation = self._fail_abandoned(conversation)
        live: dict[str, Message] = {}
        for job in jobs:
            live[job.question.id] = job.question
            live[job.id] = job.snapshot()
        messages = [live.pop(message.id, message) for message in conversation.messages]
        whole = replace(conversation, messages=(*messages, *live.values()))  # what is left could not be stored
        return whole if self._parts.load_run is None else with_runs(whole, self._parts.load_run)

    def _fail_abandoned(self, conversation: Conversation) -> Conversation:
        try:
            failed = self._parts.store.fail_interrupted()
        except StorageError as error:
            logger.warning("Abandoned answers could not be looked for: %s", error)
            return conversation
        return self._parts.store.load(conversation.entry.id, conversation.entry.owner) if failed else conversation

    def ask(
        self, conversation_id: str, owner: str, text: str, *, moment_s: float | None = None, search: SearchJob | None = None
    ) -> AnswerJob:
        """Ask a question and return its answer's job at once; *moment_s* is as in ``Question``.

        *search* is a running search for the same question, whose result is used instead of a second search. Keywords alone
        ("HBM4 대역폭") then get no written answer, only that result and relevant passages.

        Raises QuestionError for an empty or too long text and an impossible moment, ConversationBusyError during the previous
        answer, and TooManyAnswersError when the process is busy.
        """
        text = validate_question(text)
        conversation = self.open(conversation_id, owner)
        question, asked = self._question(conversation, text, moment_s)
        question = replace(question, search=search.id if search is not None else "")
        return self._start(conversation, question, MessageKind.ANSWER, lambda: self._answer(asked, search))

    def _answer(self, asked: Question, search: SearchJob | None) -> AsyncGenerator[AnswerEvent]:
        answers = self._parts.answers
        if search is None:
            return answers.answer(asked)
        return answers.scenes(asked) if is_keywords(asked.text) else answers.answer(asked, search.results)

    def check(self, conversation_id: str, owner: str, message_id: str) -> AnswerJob:
        """Check an answer on the web and return at once.

        Raises InputError if the conversation has no such answer, ConversationBusyError while it is being written,
        AlreadyCheckedError if a check of it is running or has finished, and TooManyAnswersError like ``ask``.
        """
        conversation = self.open(conversation_id, owner)
        by_id = {message.id: message for message in conversation.messages}
        answer = by_id.get(message_id)
        question = by_id.get(answer.about) if answer is not None and answer.kind is MessageKind.ANSWER else None
        if answer is None or question is None or not question.text:
            raise InputError(
                "There is no such answer in this conversation.",
                korean="확인할 답변을 찾지 못했어요. 대화를 새로 고친 뒤에 다시 해 주세요.",
            )
        if answer.state is MessageState.RUNNING:
            raise ConversationBusyError
        checks = (other for other in conversation.messages if other.kind is MessageKind.CHECK and other.about == message_id)
        if any(map(_is_valid, checks)):
            raise AlreadyCheckedError
        memory = memory_of(conversation.messages, until=question.id, asking=question.text)
        asked = Question(text=question.text, video=conversation.video, memory=memory, moment_s=question.moment_s)
        request = CheckRequest(question=asked, answer=answer.record)
        return self._start(conversation, question, MessageKind.CHECK, lambda: self._parts.check(request), about=answer.id)

    def check_question(
        self, conversation_id: str, owner: str, query: str, *, moment_s: float | None = None, subject: str | None = None
    ) -> AnswerJob:
        """Start to check an answer, or the video, against the web, and return at once.

        *moment_s* is as in ``Question``, by default that of the same question before. Raises QuestionError and
        TooManyAnswersError like ``ask``.
        """
        text = validate_question(query)
        conversation = self.open(conversation_id, owner)
        before = [message for message in conversation.messages if message.kind is MessageKind.QUESTION and message.text == text]
        if moment_s is None and before:
            moment_s = before[-1].moment_s
        question, asked = self._question(conversation, text, moment_s)
        same = {message.id for message in before if message.moment_s == moment_s}
        answers = (
            message.record
            for message in reversed(conversation.messages)
            if message.kind is MessageKind.ANSWER and message.about in same and message.state is not MessageState.RUNNING
        )
        answer = next(answers, None)
        request = CheckRequest(question=asked, answer=answer, subject=subject)
        return self._start(conversation, question, MessageKind.CHECK, lambda: self._parts.check(request))

    def job(self, message_id: str) -> AnswerJob | None:
        """Return the job of any owner's answer, running or recent; None if this process has none."""
        return self._jobs.get(message_id)

    def delete(self, conversation_id: str, owner: str) -> None:
        """Stop all work in a conversation and delete it."""
        self._parts.store.load(conversation_id, owner)
        for job in self._jobs_of(conversation_id):
            job.cancel()
            job.wait(_STOPS_WITHIN_S)
        self._parts.store.delete(conversation_id, owner)
        self._jobs.forget([job.id for job in self._jobs_of(conversation_id)])

    def _jobs_of(self, conversation_id: str) -> tuple[AnswerJob, ...]:
        return self._jobs.where(lambda job: job.conversation_id == conversation_id)

    def export(self, conversation_id: str, owner: str) -> bytes:
        """Return a conversation as a Markdown file."""
        return markdown_file(self.open(conversation_id, owner), self._parts.run_text)

    def can_check(self) -> bool:
        """Return whether a web service for checks is configured, even if it is paused after failures; sends no request."""
        return self._parts.web_configured()

    def _question(self, conversation: Conversation, text: str, moment_s: float | None) -> tuple[Message, Question]:
        """Return a question as a message of *conversation* and as a question to answer; raises QuestionError."""
        check_moment(moment_s)
        memory = memory_of(conversation.messages, asking=text)
        asked = Question(text=text, video=conversation.video, memory=memory, moment_s=moment_s)
        return self._message(MessageKind.QUESTION, text=text, moment_s=moment_s), asked

    def _message(self, kind: MessageKind, **fields: Any) -> Message:
        return Message(id=secrets.token_urlsafe(16), kind=kind, created_at=self._parts.now(), **fields)

    def _start(
        self,
        conversation: Conversation,
        question: Message,
        kind: MessageKind,
        events: Callable[[], AsyncGenerator[AnswerEvent]],
        *,
        about: str = "",
    ) -> AnswerJob:
        """Start the job that answers *question*, or that checks the answer in the message *about*."""
        entry = conversation.entry
        job = AnswerJob(entry.id, entry.owner, self._message(kind, about=about or question.id), question)
        self._jobs.add(job, lambda running: admit(job, running, self._parts.answers_at_once))
        unstored = () if about else (question,)

        def store() -> None:
            """Store the job so far with its question, which gives an unnamed conversation its title."""
            nonlocal unstored
            self._parts.store.put(entry.id, entry.owner, *unstored, job.to_store(), title=title_of(question.text))
            unstored = ()

        try:
            store()
        except StorageError as error:
            logger.warning("An answer could not be stored at its beginning; it goes on: %s", error)
            job.set_saved(False)
        except BaseException:
            self._jobs.forget([job.id])
            raise
        future = self._parts.loop.start(run_answer(job, events, store, every_s=self._parts.save_every_s))
        future.add_done_callback(lambda ended: _end_job(job, ended))
        return job


_STOPS_WITHIN_S = 5.0


def _end_job(job: AnswerJob, ended: Future[None]) -> None:
    """Log an unexpected error, and end a job that could not end itself."""
    if not ended.cancelled() and (error := ended.exception()) is not None:
        logger.error("An answer ended unexpectedly", exc_info=error)
    job.end(MessageState.FAILED, INTERRUPTED)
    job.mark_saved()


def _is_valid(check: Message) -> bool:
    """Return whether a check need not be repeated: it is still running, or ended with a result."""
    if check.state is MessageState.COMPLETE:
        return check.record is None or check.record.failure is None
    return check.state is MessageState.RUNNING


def start_answer(
    chat: Chat, owner: str, conversation_id: str | None, video: VideoContext | None, ask: Callable[[str], Started]
) -> Started:
    """Call *ask* with the conversation's id and return its result; a conversation created for it is deleted if it raises."""
    if conversation_id is not None:
        return ask(conversation_id)
    begun = chat.new(owner, video).id
    try:
        return ask(begun)
    except BaseException:
        try:
            chat.delete(begun, owner)
        except StorageError as error:  # the first error is the one to answer with
            logger.warning("A conversation in which nothing could be asked could not be deleted: %s", error)
        raise


def with_runs(conversation: Conversation, load: LoadRun) -> Conversation:
    """Return *conversation* with its research runs; if one cannot be read, its message says why."""
    messages = (
        _with_run(message, load, conversation.entry.owner) if message.kind is MessageKind.RESEARCH else message
        for message in conversation.messages
    )
    return replace(conversation, messages=tuple(messages))


def _with_run(message: Message, load: LoadRun, owner: str) -> Message:
    try:
        run = load(message.id, owner)
    except NotFoundError:
        return replace(message, state=MessageState.FAILED, missing=DELETED)
    except MaekrakError as error:
        logger.warning("A run of research could not be read: %s", error)
        return replace(message, state=MessageState.FAILED, missing=error.korean)
    return replace(message, state=_STATES.get(run.status, MessageState.RUNNING), research=run)
