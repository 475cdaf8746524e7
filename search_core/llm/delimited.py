"""Foreign text for a language model: as data between unguessable marks."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from search_core.domain import ConversationMemory
from search_core.llm.prompt import ChatMessage, plain, without_template_marks
from search_core.visible import visible

MAX_EARLIER_TURNS = 4
MAX_EARLIER_CHARS = 600
WEB_AWAY_EARLIER = (
    'An earlier answer may end in a notice "[웹 검색 사용 불가]": the web could not be asked then, for the reason it gives. It '
    "does not mean that the web has nothing and says nothing about now: do not repeat it, never say because of it that there is "
    "nothing to find, and never make up what the web might have said. "
)
"""For every system prompt after which earlier turns stand."""


def data_and_question(lines: Iterable[str], question: str, *, notice: str = "") -> ChatMessage:
    """Return the message that holds *lines* as data and then *question*; each message has a mark of its own, 128 random bits.

    *notice* stands between them, in our own words and on a line of its own.
    """
    fence = f"DATA-{secrets.token_hex(16)}"
    notices = [plain(notice)] if notice else []
    data = without_template_marks(visible("\n".join(lines)))
    return ChatMessage("user", "\n".join((fence, data, fence, *notices, f"질문: {plain(question)}")))


def earlier_messages(memory: ConversationMemory) -> tuple[ChatMessage, ...]:
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
