"""What a chat works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from search_core.chat.run_answer import SAVE_EVERY_S
from search_core.runtime import LoopThread

if TYPE_CHECKING:
    from search_core.answering import AnswerFlow, OnlineCheck
    from search_core.domain import ResearchEntry, ResearchRun
    from search_core.llm import OpenAICompatible
    from search_core.storage.conversations import ConversationStore

ANSWERS_AT_ONCE = 32
BEAT_S = 4.0
"""The store takes a running message that nobody speaks for five times as long as abandoned."""


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
    store: ConversationStore
    answers: AnswerFlow
    checks: OnlineCheck
    audio: OpenAICompatible | None = None
    """None neither hears nor speaks."""
    research: Research | None = None
    """None knows of no research."""
    web_configured: Callable[[], bool] = lambda: False
    """Tells whether a search service of the web is set up, though it may rest now; asks nobody."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    answers_at_once: int = ANSWERS_AT_ONCE
    """Answers and checks under way in this process."""
    save_every_s: float = SAVE_EVERY_S
    """How often an answer is stored while it is written."""
    beat_s: float = BEAT_S
    """How often this process says of its running answers that they still run."""
