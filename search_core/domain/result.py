"""One search result, from a provider's hit to a scored and placed one, and the one calculation from measured parts to a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

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


class Rank(NamedTuple):
    """The place of a result in the list of one search service."""

    provider: str
    place: int
    """From 1."""


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
    ranks: tuple[Rank, ...] = ()
    """One for each sighting."""
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
    late: int = 0
    """0 for a result of the first list; one that came when that was in sight stands behind it, by its number."""


DEFAULT_THRESHOLD = 0.35
AVERAGED: Mapping[str, float] = {"semantic_question": 0.3, "semantic_video": 0.2, "lexical": 0.3, "entity": 0.1}
"""Weights of the parts on what a text says, of which only the proportions matter; their average is the base of a score."""
SCALING: Mapping[str, float] = {"agreement": 0.3, "recency": 0.2}
"""Weights of the parts that say nothing on the subject of a text: 0.2 moves the base by a tenth up or down at most."""
_MIDDLE = 0.5
"""Recency and agreement above the middle lift a score, below it they lower it."""
_DECIMALS = 9
"""More than readers need; so many, that a score of 0.35 is not a hair under a threshold of 0.35."""


class HiddenReason(StrEnum):
    """Names what keeps a result from being shown."""

    BELOW_THRESHOLD = "below_threshold"
    OVER_COUNT = "over_count"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingOptions:
    """Says how scored results are ordered, which are shown and how many."""

    threshold: float = DEFAULT_THRESHOLD
    """Results scored below are hidden, counted and can be opened; in [0, 1]."""
    entity_first: bool = True
    """Among the results shown, those that name an entity of the video come first; which are shown it does not decide."""
    max_results: int = 10
    """How many results above the threshold are shown, of the web and of the library each; the rest are counted as hidden."""

    def passes(self, score: float | None) -> bool:
        """Return whether *score* reaches the threshold; an unscored result cannot be held against it."""
        return score is None or score >= self.threshold

    def reason_hidden(self, score: float | None) -> HiddenReason:
        """Return why a result of that *score* is hidden, if it is."""
        return HiddenReason.OVER_COUNT if self.passes(score) else HiddenReason.BELOW_THRESHOLD


def calculate_score(parts: ScoreParts) -> float:
    """Return the score that *parts* make, in [0, 1].

    What a text says (question, video, words, entities) is averaged by weight, over the parts that were measured. When it was
    written and who placed it high say nothing on its subject, so they only scale that average: an unrelated page stays one.
    """
    score = sum(contributions(parts).values()) * (1.0 + sum(shifts(parts).values()))
    return round(min(1.0, max(0.0, score)), _DECIMALS)


def contributions(parts: ScoreParts) -> dict[str, float]:
    """Return what each averaged part that was measured adds to the base of the score."""
    weights = _shared_weights(parts)
    content = _measured(parts, weights)
    total = sum(weights[name] for name in content)
    return {name: value * weights[name] / total for name, value in content.items()} if total > 0 else {}


def shifts(parts: ScoreParts) -> dict[str, float]:
    """Return by what share each scaling part that was measured moves the base of the score."""
    return {name: (value - _MIDDLE) * SCALING[name] for name, value in _measured(parts, SCALING).items()}


def _measured(parts: ScoreParts, weights: Mapping[str, float]) -> dict[str, float]:
    return {name: value for name in weights if (value := getattr(parts, name)) is not None}


def _shared_weights(parts: ScoreParts) -> Mapping[str, float]:
    """Return the weights of the averaged parts as they hold for a result of these *parts*.

    Meaning and words share what both have together as the scorer trusts them; words have all of it where no meaning was seen.
    """
    if parts.meaning_share is None:
        return AVERAGED
    meaning = 0.0 if parts.semantic_question is None else AVERAGED["semantic_question"] * parts.meaning_share
    words = AVERAGED["lexical"] * (1.0 - parts.meaning_share)
    if meaning + words <= 0:
        return AVERAGED
    both = AVERAGED["semantic_question"] + AVERAGED["lexical"]
    share = meaning / (meaning + words)
    return {**AVERAGED, "semantic_question": both * share, "lexical": both * (1.0 - share)}
