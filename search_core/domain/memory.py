"""Earlier turns of a conversation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MAX_TURNS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One earlier question, with what it was searched for."""

    question: str
    query: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class ConversationMemory:
    """Holds the earlier turns, oldest first, at most ``MAX_TURNS`` of them."""

    turns: tuple[Turn, ...] = ()

    @classmethod
    def from_questions(cls, questions: Iterable[str]) -> ConversationMemory:
        """Return a memory of bare questions, oldest first."""
        return cls(tuple(Turn(question=question) for question in questions)[-MAX_TURNS:])

    def remember(self, turn: Turn) -> ConversationMemory:
        """Return a memory with *turn* added last."""
        return ConversationMemory((*self.turns, turn)[-MAX_TURNS:])
