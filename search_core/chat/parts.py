"""What a chat works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from search_core.chat.run_answer import SAVE_EVERY_S
from search_core.domain import ResearchEntry, ResearchRun
from search_core.runtime import LoopThread

if TYPE_CHECKING:
    from search_core.answering import AnswerFlow, OnlineCheck
    from search_core.llm import OpenAICompatible
    from search_core.storage.conversations import ConversationStore

ANSWERS_AT_ONCE = 32
BEAT_S = 4.0
"""Seconds between two heartbeats of running answers; the store takes one without for five times as long as abandoned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Research:
    """Reads the runs of research of conversations; its functions raise MaekrakError."""

    asked_in: Callable[[str, str], tuple[ResearchEntry, ...]]
    """Returns the runs that were asked for in a conversation, given by its id and its owner, newest first."""
    run: Callable[[str, str], ResearchRun]
    """Returns a run so far, given by its id and its owner."""
    markdown: Callable[[ResearchRun], str]
    """Returns a run as Markdown for below a heading of the third level, in which nothing runs or loads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatParts:
    """Holds what a chat works with."""

    loop: LoopThread
    store: ConversationStore
    answers: AnswerFlow
    checks: OnlineCheck
    audio: OpenAICompatible | None = None
    """None neither transcribes nor speaks."""
    research: Research | None = None
    """None knows of no research."""
    web_configured: Callable[[], bool] = lambda: False
    """Returns whether a web search service is set up, even if cooling down; sends no request."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    answers_at_once: int = ANSWERS_AT_ONCE
    """Answers and checks under way in this process."""
    save_every_s: float = SAVE_EVERY_S
    """How often an answer is stored while it is written."""
    beat_s: float = BEAT_S
    """Seconds between two heartbeats of running answers."""
