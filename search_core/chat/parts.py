"""What a chat is made of, as far as it must know."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from search_core.answering.online_check import CheckRequest
from search_core.chat.run_answer import KEPT_EVERY_S
from search_core.chat.speech import Audio
from search_core.domain import AnswerEvent, Conversation, ConversationEntry, Message, Question, ResearchEntry, ResearchRun
from search_core.runtime import LoopThread

if TYPE_CHECKING:
    from search_core.domain import VideoContext

ANSWERS_AT_ONCE = 32
BEAT_S = 4.0
"""The store takes a running message that nobody speaks for five times as long as abandoned."""


class Answers(Protocol):
    """Answers questions about a video."""

    def answer(self, question: Question) -> AsyncGenerator[AnswerEvent]:
        """Yield what happens until the answer is done."""
        ...


class Checks(Protocol):
    """Holds answers against the web."""

    def check(self, request: CheckRequest) -> AsyncGenerator[AnswerEvent]:
        """Yield what happens until the check is done."""
        ...


class Conversations(Protocol):
    """Keeps conversations; ``storage.conversations.ConversationStore`` tells what each method does and raises."""

    def create(self, owner: str, video: VideoContext | None = None, title: str = "") -> ConversationEntry:
        """Begin a conversation."""
        ...

    def entries(self, owner: str, video_key: str | None = None) -> tuple[ConversationEntry, ...]:
        """Return the conversations of *owner*."""
        ...

    def load(self, conversation_id: str, owner: str) -> Conversation:
        """Return a conversation with its messages."""
        ...

    def put(self, conversation_id: str, owner: str, *messages: Message) -> None:
        """Keep *messages*, each in the place of what has its id."""
        ...

    def rename(self, conversation_id: str, owner: str, title: str) -> None:
        """Give a conversation another title."""
        ...

    def delete(self, conversation_id: str, owner: str) -> None:
        """Forget a conversation."""
        ...

    def still_running(self, message_ids: Collection[str]) -> None:
        """Say that these messages are being worked on."""
        ...

    def interrupted(self) -> int:
        """Mark running messages that nobody speaks for as failed; return how many there were."""
        ...


class Research(Protocol):
    """Knows the runs of research that were asked for in conversations; raises MaekrakError."""

    def asked_in(self, conversation_id: str, owner: str) -> tuple[ResearchEntry, ...]:
        """Return the runs of *owner* that were asked for in a conversation, newest first."""
        ...

    def run(self, run_id: str, owner: str) -> ResearchRun:
        """Return a run as it stands."""
        ...

    def markdown(self, run: ResearchRun) -> str:
        """Return a run as Markdown that can stand under a heading of the third level, in which nothing runs or loads."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatParts:
    """Holds what a chat works with."""

    loop: LoopThread
    store: Conversations
    answers: Answers
    checks: Checks
    audio: Audio | None = None
    """None neither hears nor speaks."""
    research: Research | None = None
    """None knows of no research."""
    web_configured: Callable[[], bool] = lambda: False
    """Tells whether a search service of the web is set up, though it may rest now; asks nobody."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    answers_at_once: int = ANSWERS_AT_ONCE
    """Answers and checks under way in this process."""
    kept_every_s: float = KEPT_EVERY_S
    """How often an answer is stored while it is written."""
    beat_s: float = BEAT_S
    """How often this process says of its running answers that they still run."""
