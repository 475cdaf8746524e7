"""One search result, from a provider's hit to its score and rank."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

USER_COLLECTION = "user"
"""The documents a user has put into the library."""
SAMPLE_COLLECTION = "sample"
"""The documents that ship with the app."""


def collection_of(owner: str) -> str:
    """Return the name of the collection that holds *owner*'s documents, or of the shared one where nobody logs in."""
    return f"own-{hashlib.sha256(owner.encode()).hexdigest()[:24]}" if owner else USER_COLLECTION


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreParts:
    """Holds the components that explain a score, each in [0, 1]; None if not measured."""

    semantic_question: float | None = None
    """Similarity in meaning of the result to the question; None if the scorer cannot compare them, as Kiwi across languages."""
    lexical: float | None = None
    """How many of the question's words the result has, weighted."""
    recency: float | None = None
    """1 for a result of today, halving with age; None for an undated result."""
    agreement: float | None = None
    """How highly and by how many providers the result was placed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The moment of the video that a result relates to."""

    start_s: float
    """Seconds from the start of the video."""
    text: str
    """What is said there."""
    similarity: float
    """In [0, 1]."""


class Rank(NamedTuple):
    """The place of a result in the list of one search service."""

    provider: str
    place: int
    """From 1."""


class FromLibrary:
    """Tells documents of the library, which have a collection, from pages of the web."""

    __slots__ = ()
    collection: str

    @property
    def own(self) -> bool:
        """Return whether this is a document of the library and not of the web."""
        return bool(self.collection)

    @property
    def sample(self) -> bool:
        """Return whether this is a document that ships with the app."""
        return self.collection == SAMPLE_COLLECTION


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSource(FromLibrary):
    """A page or an own document that a search gave, and whether it was read."""

    title: str
    url: str
    domain: str
    """Host name without ``www.``; for a document of the library the library's name."""
    publish_date: datetime | None = None
    read: bool | None = None
    """True when its page was read, False when that failed, None when it was not tried: then only the snippet is known."""
    failure: str = ""
    """A ``PageFailure`` when reading its page failed."""
    collection: str = ""
    """Collection of the library that holds it, ``user`` or ``sample``; empty for a page of the web."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(FromLibrary):
    """One hit: as a provider returned it, then with more fields after merging and scoring."""

    title: str
    url: str
    snippet: str
    source: str
    """The site as people name it: a host name without ``www.``, or the outlet."""
    relevance_score: float | None = None
    """How likely it answers the question as it is meant, in [0, 1]; None means not scored."""
    publish_date: datetime | None = None
    language: str = ""
    """ISO 639-1 code of title and snippet together; empty when unknown."""
    providers: tuple[str, ...] = ()
    """Names of the providers that gave this hit, first seen first."""
    ranks: tuple[Rank, ...] = ()
    """One for each sighting."""
    prior: float = 0.0
    """Reciprocal-rank fusion of ``ranks``, scaled to [0, 1] within one search."""
    parts: ScoreParts | None = None
    entity_matches: tuple[str, ...] = ()
    """Entities of the video that the result names, as the video writes them."""
    moment: Moment | None = None
    summary: str = ""
    """Text shown for a foreign result: a model's Korean summary, or its own sentences; empty for Korean results."""
    summary_origin: str = ""
    """``model`` or ``extract``; empty when there is no summary."""
    collection: str = ""
    """Collection of the library that holds it; empty for a hit of the web."""
    late: int = 0
    """0 for a result of the first list; late results are numbered in order of arrival."""


SCORE_SCALE = "likelihood"
"""What scores measure now: how likely a result answers."""
DEFAULT_THRESHOLD = 0.05
"""Least score of a shown result; in a test with articles in place of videos, one of thirty answering paragraphs scored less."""


class HiddenReason(StrEnum):
    """Names the reasons for hiding results."""

    BELOW_THRESHOLD = "below_threshold"
    OVER_COUNT = "over_count"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingOptions:
    """Options for ordering scored results, for the threshold and the number shown."""

    threshold: float = DEFAULT_THRESHOLD
    """Results scored below are hidden, counted and can be opened; in [0, 1]."""
    max_results: int = 10
    """How many results above the threshold are shown, of the web and of the library each; the rest are counted as hidden."""

    def passes(self, score: float | None) -> bool:
        """Return whether *score* reaches the threshold; unscored results always pass."""
        return score is None or score >= self.threshold

    def reason_hidden(self, score: float | None) -> HiddenReason:
        """Return why a result with that *score* is hidden, if it is."""
        return HiddenReason.OVER_COUNT if self.passes(score) else HiddenReason.BELOW_THRESHOLD
