"""What a question asks for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SearchType(StrEnum):
    """Names the kind of material a question wants."""

    NEWS = "news"
    BACKGROUND = "background"
    GENERAL = "general"


class ReferenceKind(StrEnum):
    """Names what a word that points outside the question points at."""

    PERSON = "person"
    ORGANIZATION = "organization"
    EVENT = "event"
    PLACE = "place"
    VIDEO = "video"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Reference:
    """A word of the question that points at something the question does not name: "이 회사", "he"."""

    text: str
    """As written: ``query[start:end]``."""
    start: int
    end: int
    kind: ReferenceKind
    head: str = ""
    """The noun that says what is meant ("회사", "감독"); empty for a bare pronoun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchIntent:
    """A question as understood, before the video is consulted for words."""

    query: str
    """The question as typed, stripped, Unicode NFC."""
    intent_type: SearchType
    confidence: float
    """How sure the analysis is of ``intent_type``, in [0, 1]."""
    search_terms: tuple[str, ...]
    """Content words without particles and endings, in order of appearance, no doubles."""
    requires_context: bool
    """True when the question cannot be understood without the video or the earlier turns."""
    language_preference: str
    """ISO 639-1 code of the language results are wanted in: ``ko`` or ``en``."""
    degraded: bool = False
    """True when the analysis failed and the terms are plain words."""
    references: tuple[Reference, ...] = ()
    """Words that point outside the question, in order; their heads are no search terms unless they say more than the kind."""
    excluded: tuple[str, ...] = ()
    """What the question says it does not ask for ("3분기 말고"), as it writes it; no search terms."""
