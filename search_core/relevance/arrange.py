"""From measured parts to a score, and from scored results to what is shown, without embedding anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from search_core.domain import RankingOptions, RankingWeights, ScoreParts, SearchResult, calculate_score

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


def combine(parts: ScoreParts, weights: RankingWeights) -> float:
    """Return the relevance in [0, 1] that *parts* add up to."""
    return calculate_score(parts, weights).score


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

    Scores are computed anew from the parts, so that moved weights and thresholds need no search and no embedding. The score
    alone decides which results are shown; those of them that name an entity of the video then come first, where that is wanted.
    Unscored results cannot be held against the threshold: they are shown.
    """
    ordered = in_order([apply_weights(result, options.weights) for result in results], entity_first=False)
    passing = [result for result in ordered if options.passes(result.relevance_score)]
    below = [result for result in ordered if not options.passes(result.relevance_score)]
    shown = in_order(passing[: options.max_results], entity_first=options.entity_first)
    return tuple(shown), tuple(passing[options.max_results :] + below)
