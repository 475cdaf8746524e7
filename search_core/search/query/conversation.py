"""What the earlier turns were about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from search_core.domain import ConversationMemory, ReferenceKind, Turn
from search_core.search.query.presence import holds
from search_core.text.entities import EntityKind, find_entities
from search_core.text.korean.content import ContentTerm, content_terms

_MAX_PHRASE_CHARS = 40
"""Longer runs are titles without grammar rather than one thing."""
_MAX_SUBJECTS = 2
_KINDS = {
    ReferenceKind.PERSON: EntityKind.PERSON,
    ReferenceKind.ORGANIZATION: EntityKind.ORGANIZATION,
    ReferenceKind.EVENT: EntityKind.EVENT,
}


class Phrase(NamedTuple):
    """A run of content words with nothing but spaces between them."""

    text: str
    start: int
    end: int
    specific: bool
    """True when a word of it says more than a property."""
    whole: str
    """The run with the properties at its ends."""


def phrases(text: str) -> tuple[Phrase, ...]:
    """Return the noun phrases of *text* in order ("AI 기본법", "solid-state battery"), without properties at the ends."""
    runs: list[list[ContentTerm]] = []
    for term in content_terms(text):
        if term.predicate:
            continue
        before = runs[-1] if runs else []
        if before and re.fullmatch(r" ?", text[before[-1].end : term.start]) and term.end - before[0].start <= _MAX_PHRASE_CHARS:
            before.append(term)
        else:
            runs.append([term])
    return tuple(_phrase(text, run) for run in runs)


def _phrase(text: str, run: list[ContentTerm]) -> Phrase:
    specific = [index for index, term in enumerate(run) if not term.attribute]
    core = run[specific[0] : specific[-1] + 1] if specific else run
    return Phrase(
        text[core[0].start : core[-1].end], core[0].start, core[-1].end, bool(specific), text[run[0].start : run[-1].end]
    )


@dataclass(frozen=True, slots=True)
class Conversation:
    """Answers what earlier turns spoke of, the latest first."""

    memory: ConversationMemory

    def subject(self) -> tuple[str, ...]:
        """Return the phrases that name what the latest turn with a subject was about, at most two."""
        for turn in reversed(self.memory.turns):
            named = [phrase for phrase in _phrases_of(turn) if phrase.specific]
            if named:
                return tuple(phrase.text for phrase in named[:_MAX_SUBJECTS])
        return ()

    def aspect(self, instead_of: str, without: Sequence[str] = ()) -> tuple[str, ...]:
        """Return what was asked about the subject, to be asked of *instead_of* and not of the words *without*.

        It is "HBM4 양산" of "삼성전자 HBM4 양산은?" for "SK하이닉스".
        """
        for turn in reversed(self.memory.turns):
            text = _text_of(turn)
            said = _phrases_of(turn)
            if not any(phrase.specific for phrase in said):
                continue
            kinds = {entity.kind for entity in find_entities(instead_of)}
            rivals = [e.text for e in find_entities(text) if e.kind in kinds and e.kind is not EntityKind.OTHER]
            rest = text
            for rival in (*without, *rivals):
                rest = rest.replace(rival, " , ")
            remaining = [phrase.whole for phrase in phrases(rest) if not holds(instead_of, phrase.text)]
            return tuple(remaining[:_MAX_SUBJECTS])
        return ()

    def latest_name(self, kind: ReferenceKind) -> str | None:
        """Return the name of this kind that was mentioned last, or None."""
        wanted = _KINDS.get(kind)
        if wanted is None:
            return None
        for turn in reversed(self.memory.turns):
            for text in (turn.question, turn.query, turn.answer):
                found = [entity.text for entity in find_entities(text) if entity.kind is wanted]
                if found:
                    return found[0]
        return None


def _text_of(turn: Turn) -> str:
    """Return the question, or what it was searched for when the question itself names nothing."""
    if turn.query and not any(phrase.specific for phrase in phrases(turn.question)):
        return turn.query
    return turn.question


def _phrases_of(turn: Turn) -> tuple[Phrase, ...]:
    return phrases(_text_of(turn))
