"""The parts of a relevance score, measured for a list of results at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from search_core import korean
from search_core.domain import ScoreParts, SearchResult, VideoContext
from search_core.relevance.calibration import Calibration
from search_core.relevance.embedder import Embedder, Vectors
from search_core.relevance.kiwi_embedder import KiwiEmbedder
from search_core.relevance.lexical import AskedWords
from search_core.relevance.video_profile import VideoProfileCache, facet_texts
from search_core.relevance.words import forget_old_words

_HALF_LIFE_DAYS = 90.0
_FRESH_HALF_LIFE_DAYS = 30.0
"""Where news are asked for, a month makes old."""
_TIMELESS_SHARE = 0.2
"""What is left of recency for background questions: enough to break ties, too little to put the newest page before the answer."""
_ENTITIES_FULL = 2
"""Naming two of the video's entities is as good as naming more."""
_WORD_MEAN_TRUST = 0.35
"""How much the mean of word vectors says beyond the words in common; the best share on the development sets. A trained model is
trusted wholly."""
_READ_CHARS = 4000
"""A result is judged by its beginning: no snippet is longer, and a pasted book must not hold up the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringContext:
    """What results are measured against."""

    question: str
    """May be empty when there is a video."""
    video: VideoContext | None
    freshness_matters: bool
    now: datetime
    timeless: bool = False
    """True for background questions, for which an older page is hardly worse."""


def measured(
    results: Sequence[SearchResult], yardstick: ScoringContext, embedder: Embedder, shelf: VideoProfileCache
) -> list[SearchResult]:
    """Return *results* with parts, entities and moment filled, in the order given; raises EmbeddingError."""
    titles = [result.title for result in results]
    bodies = [result.snippet[:_READ_CHARS] for result in results]
    texts = [f"{title}\n{body}" for title, body in zip(titles, bodies, strict=True)]
    vectors = embedder.embed(texts)
    asked = AskedWords(_words(yardstick))
    lexical = asked.scores(titles, bodies)
    trust = _trust(asked.text, texts, embedder)
    to_question = _to_question(yardstick.question, vectors, lexical, trust, embedder)
    recency = _recency(results, yardstick)
    profile = shelf.profile(yardstick.video, embedder, vectors.shape[1]) if yardstick.video is not None else None
    bearings = profile.bearings(vectors, texts, Calibration(embedder)) if profile else None
    filled = []
    for row, result in enumerate(results):
        names = profile.names.find_in(texts[row]) if profile else ()
        parts = ScoreParts(
            semantic_video=bearings[row].similarity if bearings and trust[row] else None,
            semantic_question=float(to_question[row]) if to_question is not None else None,
            lexical=lexical[row],
            entity=min(1.0, len(names) / _ENTITIES_FULL) if profile else None,
            recency=recency[row],
            agreement=min(1.0, max(0.0, result.prior)) if result.ranks else None,
        )
        filled.append(
            replace(result, parts=parts, entity_matches=tuple(names), moment=bearings[row].moment if bearings else None)
        )
    forget_old_words()
    return filled


def _words(yardstick: ScoringContext) -> str:
    if yardstick.question or yardstick.video is None:
        return yardstick.question
    return " ".join(facet_texts(yardstick.video))


def _trust(asked: str, texts: Sequence[str], embedder: Embedder) -> NDArray[np.float32]:
    """Return how far similarities of *embedder* say something by themselves, for each text; Kiwi's say nothing across scripts."""
    if not isinstance(embedder, KiwiEmbedder):
        return np.ones(len(texts), dtype=np.float32)
    hangul = korean.has_hangul(asked)
    return np.array([_WORD_MEAN_TRUST if korean.has_hangul(text) == hangul else 0.0 for text in texts], dtype=np.float32)


def _to_question(
    question: str, vectors: Vectors, lexical: Sequence[float], trust: NDArray[np.float32], embedder: Embedder
) -> Vectors | None:
    if not question:
        return None
    similarities = Calibration(embedder).scaled(vectors @ embedder.embed([question], "query")[0])
    mixed: Vectors = trust * similarities + (1 - trust) * np.asarray(lexical, dtype=np.float32)
    return mixed


def _recency(results: Sequence[SearchResult], yardstick: ScoringContext) -> list[float | None]:
    """Return how recent each result is: against now for news, against the newest otherwise; near the middle if timeless."""
    dates = [result.publish_date for result in results]
    dated = [min(date, yardstick.now) for date in dates if date is not None]
    if not dated:
        return [None] * len(dates)
    newest = yardstick.now if yardstick.freshness_matters else max(dated)
    half_life = _FRESH_HALF_LIFE_DAYS if yardstick.freshness_matters else _HALF_LIFE_DAYS
    ages = [None if date is None else max(0.0, (newest - date).total_seconds() / 86_400) for date in dates]
    share = _TIMELESS_SHARE if yardstick.timeless else 1.0
    return [None if age is None else 0.5 + share * (0.5 ** (age / half_life) - 0.5) for age in ages]
