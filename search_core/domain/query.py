"""The query that is sent, with the origin of each of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from search_core.domain.intent import ReferenceKind


class PartOrigin(StrEnum):
    """Names where a part of the query comes from."""

    QUESTION = "question"
    SPEAKER = "speaker"
    ORGANIZATION = "organization"
    EVENT = "event"
    TITLE = "title"
    TRANSCRIPT = "transcript"
    MEMORY = "memory"
    DATE = "date"


class QueryPart(NamedTuple):
    """One piece of the query and its origin; the user can take away any piece."""

    text: str
    origin: PartOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class Referent:
    """What a pointing word of the question was taken for, and what else of the video it could mean."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstructedQuery:
    """The query built from a question, the video and the earlier turns."""

    text: str
    """The parts joined by single spaces, within the length limit."""
    parts: tuple[QueryPart, ...]
    fallback_queries: tuple[str, ...] = ()
    """Queries to try when this one finds nothing, narrow to broad; none equals ``text``."""
    translated: str | None = None
    """What of the query can be said in the other script, or None when no name of it is known in both."""
    verbatim: bool = False
    """True when the raw question is sent without the video."""
    referents: tuple[Referent, ...] = ()
    """What pointing words for a person, an organisation or an event were taken for, in order."""
    left_out: tuple[str, ...] = ()
    """What the question says it does not ask for ("3분기 말고"): it is searched for by no service."""
