"""A question's intent, the earlier turns it may refer to, and its query."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

MAX_TURNS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One earlier question with its query."""

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


class SearchType(StrEnum):
    """Names the kinds of material that questions ask for."""

    NEWS = "news"
    BACKGROUND = "background"
    GENERAL = "general"


class ReferenceKind(StrEnum):
    """Names the kinds of things that a pointing word refers to."""

    PERSON = "person"
    ORGANIZATION = "organization"
    EVENT = "event"
    PLACE = "place"
    VIDEO = "video"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Reference:
    """A word that refers to something outside the question: "이 회사", "he"."""

    text: str
    """As written: ``query[start:end]``."""
    start: int
    end: int
    kind: ReferenceKind
    head: str = ""
    """The noun that names the kind of referent ("회사", "감독"); empty for a bare pronoun."""


class QuestionTerm(NamedTuple):
    """One content word of a question; ``text`` is at ``[start:end]``, except predicates in dictionary form."""

    text: str
    start: int
    end: int
    predicate: bool
    attribute: bool
    """True if the word names a property without its owner ("매출", "types")."""
    written: str = ""
    """The word as pages write it: a verb with its ending, as in a written statement ("올랐대요?" becomes "올랐다")."""
    describes: bool = False
    """True for a verb, an adjective, a superlative or a count, which alone find no useful pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchIntent:
    """An analysed question: all that later stages know about its words."""

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
    """Words that point outside the question, in order; a head that names only a kind ("회사") is no search term."""
    excluded: tuple[str, ...] = ()
    """What the question excludes ("3분기 말고"), as written; not among the search terms."""
    terms: tuple[QuestionTerm, ...] = ()
    """The search terms with their places, no doubles."""
    follow_up: bool = False
    """True if the question continues the earlier turns ("그럼 경쟁사는?")."""
    own: float = 1.0
    """The probability that the question is self-contained, so that it needs no words of the video."""
    moment_s: float | None = None
    """Where in the video the question is asked, in seconds from the start; None if unknown."""


class PartOrigin(StrEnum):
    """Names the origins of query parts."""

    QUESTION = "question"
    SPEAKER = "speaker"
    ORGANIZATION = "organization"
    EVENT = "event"
    TITLE = "title"
    TRANSCRIPT = "transcript"
    MEMORY = "memory"
    DATE = "date"


class QueryPart(NamedTuple):
    """One part of the query and its origin; the user can remove it."""

    text: str
    origin: PartOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class Referent:
    """The meaning chosen for a pointing word, and alternatives from the video."""

    reference: str
    """The pointing word as written ("이 회사")."""
    start: int
    end: int
    """Its position in the question."""
    kind: ReferenceKind
    meaning: str
    """What the word means; empty if unknown."""
    others: tuple[str, ...] = ()
    """Other names of its kind in the video, most salient first."""


class VariantOrigin(StrEnum):
    """Names the origins of other wordings."""

    WITH_CONTEXT = "with_context"
    OTHER_CONTEXT = "other_context"
    """With other words of the video, the next best after those in the query."""
    WITHOUT_CONTEXT = "without_context"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryVariant:
    """Another wording of a query, sent in parallel to services where that costs nothing."""

    text: str
    origin: VariantOrigin
    translated: str | None = None
    """The wording's part in the other script, as in ``ConstructedQuery``."""


class WritingOutcome(StrEnum):
    """Names the outcomes of asking a language model for a query."""

    WRITTEN = "written"
    DROPPED = "dropped"
    """The model's text shared no word with question and video, or was no query at all."""
    SAME = "same"
    """The model's query was the same as the one built by rules."""
    TAKEN_AWAY = "taken_away"
    """The user removed the model's query."""
    LATE = "late"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenQuery:
    """A language model's query for a question, and the time it took."""

    outcome: WritingOutcome
    text: str = ""
    took_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstructedQuery:
    """The query built from a question, the video and the earlier turns."""

    text: str
    """The parts joined by single spaces, within the length limit."""
    parts: tuple[QueryPart, ...]
    fallback_queries: tuple[str, ...] = ()
    """Queries to try when this one finds nothing, narrow to broad; none equals ``text``."""
    translated: str | None = None
    """The query's part in the other script, or None if none of its names is known in both."""
    verbatim: bool = False
    """True when the raw question is sent without the video."""
    referents: tuple[Referent, ...] = ()
    """What pointing words for a person, an organisation or an event were taken for, in order."""
    left_out: tuple[str, ...] = ()
    """What the question excludes ("3분기 말고"), which is in no query."""
    understood: str = ""
    """The question in its own words, with pointing words replaced; empty if it is self-contained."""
    also: tuple[QueryVariant, ...] = ()
    """Other wordings of the question, sent in parallel to services that allow it."""
