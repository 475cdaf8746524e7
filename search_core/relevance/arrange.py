"""From measured parts to a score, and from scored results to what is shown, without embedding anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from search_core.domain import RankingOptions, RankingWeights, ScoreParts, SearchResult

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
_MIDDLE = 0.5
"""Recency and agreement above the middle lift a score, below it they lower it."""


def combine(parts: ScoreParts, weights: RankingWeights) -> float:
    """Return the relevance in [0, 1] that *parts* add up to.

    What a text says (video, question, words, entities) is averaged by weight, over the parts that were measured. When it was
    written and who placed it high say nothing on its subject, so they only scale that average: an unrelated page stays one.
    """
    weights = weights.shared_for(parts)
    content = (
        (parts.semantic_video, weights.semantic_video),
        (parts.semantic_question, weights.semantic_question),
        (parts.lexical, weights.lexical),
        (parts.entity, weights.entity),
    )
    total = sum(weight for part, weight in content if part is not None)
    if total <= 0:
        return 0.0
    average = sum(part * weight for part, weight in content if part is not None) / total
    lift = sum(
        (part - _MIDDLE) * weight
        for part, weight in ((parts.recency, weights.recency), (parts.agreement, weights.agreement))
        if part is not None
    )
    return min(1.0, max(0.0, average * (1.0 + lift)))


def apply_weights(result: SearchResult, weights: RankingWeights) -> SearchResult:
    """Return *result* with the score that *weights* give its parts; a result without parts stays as it is."""
    return result if result.parts is None else replace(result, relevance_score=combine(result.parts, weights))


def in_order(results: Sequence[SearchResult], *, entity_first: bool) -> list[SearchResult]:
    """Return *results* ordered: naming an entity of the video first, then by score, then newer first.

    Unscored results keep their order at the end; undated ones count as the oldest.
    """
    return sorted(
        results,
        key=lambda result: (
            result.relevance_score is None,
            not (entity_first and result.entity_matches),
            -(result.relevance_score or 0.0),
            -(result.publish_date or _LONG_AGO).timestamp(),
        ),
    )


def arrange(
    results: Sequence[SearchResult], options: RankingOptions
) -> tuple[tuple[SearchResult, ...], tuple[SearchResult, ...]]:
    """Return the results to show and the hidden ones, both in order.

    Scores are computed anew from the parts, so that moved weights and thresholds need no search and no embedding. Unscored
    results cannot be held against the threshold: they are shown.
    """
    ordered = in_order([apply_weights(result, options.weights) for result in results], entity_first=options.entity_first)
    passing = [result for result in ordered if _passes(result, options.threshold)]
    shown = passing[: options.max_results]
    below = [result for result in ordered if not _passes(result, options.threshold)]
    return tuple(shown), tuple(passing[options.max_results :] + below)


def _passes(result: SearchResult, threshold: float) -> bool:
    return result.relevance_score is None or result.relevance_score >= threshold
