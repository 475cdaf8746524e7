"""One search result, from a provider's hit to a scored and placed result."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

USER_COLLECTION = "user"
"""The documents a user has put into the library."""
SAMPLE_COLLECTION = "sample"
"""The documents that ship with the app."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreParts:
    """Holds what a relevance score is made of, each in [0, 1]; None means not measured."""

    semantic_video: float | None = None
    """Similarity of the result to the video as a whole."""
    semantic_question: float | None = None
    """Similarity of the result to the question in meaning; None where the scorer sees none, as Kiwi across languages."""
    lexical: float | None = None
    """Share of the question's weighted terms that the result holds."""
    entity: float | None = None
    """How many of the video's own entities the result names, saturating."""
    recency: float | None = None
    """1 for the newest result (today, where news are asked for), halving with age; None for an undated result."""
    agreement: float | None = None
    """How highly and by how many providers the result was placed."""
    meaning_share: float | None = None
    """No part of the score: the share that meaning has in how near the result is to the question, the rest being the words'.
    None where the weights stand as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The moment of the video that a result bears on."""

    start_s: float
    """Seconds from the start of the video."""
    text: str
    """What is said there."""
    similarity: float
    """In [0, 1]."""


class FromLibrary:
    """Something that is a document of the library where it names a collection, and a page of the web otherwise."""

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
class SearchResult(FromLibrary):
    """One hit: as a provider gave it, and after merging and scoring with more of its fields filled."""

    title: str
    url: str
    snippet: str
    source: str
    """The site as people name it: a host name without ``www.``, or the outlet."""
    relevance_score: float | None = None
    """In [0, 1]; None means not scored."""
    publish_date: datetime | None = None
    """Time zone aware; None when unknown."""
    language: str = ""
    """ISO 639-1 code of title and snippet together; empty when unknown."""
    providers: tuple[str, ...] = ()
    """Names of the providers that gave this hit, first seen first."""
    ranks: tuple[tuple[str, int], ...] = ()
    """(provider, 1-based position in its list) for each sighting."""
    prior: float = 0.0
    """Reciprocal-rank fusion of ``ranks``, scaled to [0, 1] within one search."""
    parts: ScoreParts | None = None
    entity_matches: tuple[str, ...] = ()
    """Entities of the video that the result names, as the video writes them."""
    moment: Moment | None = None
    summary: str = ""
    """What stands for a foreign result: a model's Korean summary, or its own sentences; empty for Korean results."""
    summary_origin: str = ""
    """``model`` or ``extract``; empty when there is no summary."""
    collection: str = ""
    """Collection of the library that holds it; empty for a hit of the web."""
