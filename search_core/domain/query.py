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
    """True when the word names a property and leaves open of what ("매출", "types")."""
    written: str = ""
    """As pages write it: a verb with its ending, one that closes a spoken sentence as a statement ("올랐대요?" is "올랐다")."""
    describes: bool = False
    """True for a verb, an adjective, a superlative, a count: nothing is found by it alone."""


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
    """Words that point outside the question, in order; their heads are no search terms unless they say more than the kind."""
    excluded: tuple[str, ...] = ()
    """What the question says it does not ask for ("3분기 말고"), as it writes it; no search terms."""
    terms: tuple[QuestionTerm, ...] = ()
    """The search terms with their places, no doubles."""
    follow_up: bool = False
    """True when it goes on with the earlier turns."""
    own: float = 1.0
    """How likely it stands alone, asking nothing of the video, in [0, 1]."""
    moment_s: float | None = None
    """Where in the video it is asked, in seconds from the start; None where nobody says."""


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
    """Empty when nothing is known that it could mean."""
    others: tuple[str, ...] = ()
    """Other names of its kind in the video, most salient first."""


class VariantOrigin(StrEnum):
    """Names the origins of other wordings."""

    WITH_CONTEXT = "with_context"
    OTHER_CONTEXT = "other_context"
    """With the words of the video that come next to those of the query."""
    WITHOUT_CONTEXT = "without_context"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryVariant:
    """Another wording of a query, sent in parallel to services where that costs nothing."""

    text: str
    origin: VariantOrigin
    translated: str | None = None
    """What of it can be said in the other script, as in ``ConstructedQuery``."""


class WritingOutcome(StrEnum):
    """Names the outcomes of asking a language model for a query."""

    WRITTEN = "written"
    DROPPED = "dropped"
    """It held nothing of the question and nothing of the video, or was no query at all."""
    SAME = "same"
    """It said what was asked already."""
    TAKEN_AWAY = "taken_away"
    """The user took it away."""
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
    """What the question says it does not ask for ("3분기 말고"): it is searched for by no service."""
    understood: str = ""
    """The question in its own words, pointing words replaced; empty where it stands alone."""
    also: tuple[QueryVariant, ...] = ()
    """Other wordings of the question, sent in parallel to services that allow it."""
