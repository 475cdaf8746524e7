"""The parts of a relevance score, measured for a list of results at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from search_core.domain import ScoreParts, SearchResult, VideoContext
from search_core.relevance.embedder import Embedder
from search_core.relevance.lexical import AskedWords
from search_core.relevance.meaning import Meaning
from search_core.relevance.video_profile import VideoProfileCache, facet_texts
from search_core.relevance.words import forget_old_words
from search_core.runtime import in_turns

_HALF_LIFE_DAYS = 90.0
_FRESH_HALF_LIFE_DAYS = 30.0
"""Where news are asked for, a month makes old."""
_TIMELESS_SHARE = 0.2
"""What is left of recency for background questions: enough to break ties, too little to put the newest page before the answer."""
_ENTITIES_FULL = 2
"""Naming two of the video's entities is as good as naming more."""
_READ_CHARS = 4000
"""A result is judged by its beginning: no snippet is longer, and a pasted book must not hold up the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringContext:
    """What results are measured against."""

    question: str
    """Its words, with those that its text lacks; may be empty when there is a video."""
    meant: str
    """The question as a sentence, for embedders that read sentences; empty with the question."""
    video: VideoContext | None
    freshness_matters: bool
    now: datetime
    timeless: bool = False
    """True for background questions, for which an older page is hardly worse."""
    of_one_text: bool = False
    """True for passages of one talk or page, which are on one subject all of them."""


def measure_parts(
    results: Sequence[SearchResult], context: ScoringContext, embedder: Embedder, shelf: VideoProfileCache
) -> list[SearchResult]:
    """Return *results* with parts, entities and moment filled, in the order given; raises EmbeddingError."""
    titles = [result.title for result in results]
    bodies = [result.snippet[:_READ_CHARS] for result in results]
    texts = [f"{title}\n{body}" for title, body in zip(titles, bodies, strict=True)]
    asked = AskedWords(_words(context))
    lexical = asked.scores(titles, bodies)
    meaning = Meaning.of(texts, embedder, of_one_text=context.of_one_text)
    sentence = context.meant if embedder.reach.across_scripts else context.question
    shares = meaning.shares(sentence or asked.text)
    to_question = meaning.to_question(sentence) if sentence else None
    recency = _recency(results, context)
    profile = shelf.profile(context.video, embedder) if context.video is not None else None
    bearings = profile.bearings(meaning, texts) if profile else None
    filled = []
    for row, result in enumerate(in_turns(results)):
        names = profile.names.find_in(texts[row]) if profile else ()
        parts = ScoreParts(
            semantic_video=bearings[row].similarity if bearings and shares[row] else None,
            semantic_question=float(to_question[row]) if to_question is not None and shares[row] else None,
            lexical=lexical[row],
            entity=min(1.0, len(names) / _ENTITIES_FULL) if profile else None,
            recency=recency[row],
            agreement=min(1.0, max(0.0, result.prior)) if result.ranks else None,
            meaning_share=shares[row] if to_question is not None else None,
        )
        filled.append(
            replace(result, parts=parts, entity_matches=tuple(names), moment=bearings[row].moment if bearings else None)
        )
    forget_old_words()
    return filled


def _words(context: ScoringContext) -> str:
    if context.question or context.video is None:
        return context.question
    return " ".join(facet_texts(context.video))


def _recency(results: Sequence[SearchResult], context: ScoringContext) -> list[float | None]:
    """Return how recent each result is: against now for news, against the newest otherwise; near the middle if timeless."""
    dates = [result.publish_date for result in results]
    dated = [min(date, context.now) for date in dates if date is not None]
    if not dated:
        return [None] * len(dates)
    newest = context.now if context.freshness_matters else max(dated)
    half_life = _FRESH_HALF_LIFE_DAYS if context.freshness_matters else _HALF_LIFE_DAYS
    ages = [None if date is None else max(0.0, (newest - date).total_seconds() / 86_400) for date in dates]
    share = _TIMELESS_SHARE if context.timeless else 1.0
    return [None if age is None else 0.5 + share * (0.5 ** (age / half_life) - 0.5) for age in ages]
