"""Foreign text for a language model: as data between marks nobody can guess."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from search_core.domain import ConversationMemory
from search_core.llm import ChatMessage
from search_core.llm.prompt import plain

MAX_EARLIER_TURNS = 4
MAX_EARLIER_CHARS = 600


def data_and_question(lines: Iterable[str], question: str) -> ChatMessage:
    """Return the message that holds *lines* as data and then *question*; each message has a mark of its own, 128 random bits."""
    fence = f"DATA-{secrets.token_hex(16)}"
    return ChatMessage("user", "\n".join((fence, *lines, fence, f"질문: {plain(question)}")))


def earlier(memory: ConversationMemory) -> tuple[ChatMessage, ...]:
    """Return the last turns that were answered, shortened, as messages."""
    turns = [turn for turn in memory.turns if turn.answer.strip()][-MAX_EARLIER_TURNS:]
    return tuple(
        message
        for turn in turns
        for message in (
            ChatMessage("user", plain(turn.question)[:MAX_EARLIER_CHARS]),
            ChatMessage("assistant", plain(turn.answer)[:MAX_EARLIER_CHARS]),
        )
    )
