"""Ranks a list of candidates, for scripts and evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from math import sqrt
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from search_core.domain import RankingWeights, SearchResult, VideoContext
from search_core.relevance.arrange import apply_weights, in_order
from search_core.relevance.filter import RelevanceFilter

_BY_CHANCE = 1.96
"""Deviations of the rank correlation of a shuffled list; further out chance leads in one list of forty."""
_TO_FULL_TRUST = 0.3
"""Rank correlation beyond chance at which the order given is trusted fully: that of search services. Shuffled lists lose
nothing by it (AutoRAG .936; .912 where trust began at .2, which chance reaches in one list of five), those in the order of BM25
gain up to a point (AutoRAG .944, KorQuAD .982)."""
_FEWEST_SITES = 2
"""Titled pages of that many sites are a search service's list, whose order is worth its full trust. Measured on recorded news
searches, mean reciprocal rank of the first answer: .755 as recorded; ranked .783 with dates, .747 without."""
_FEWEST = 3
"""Two candidates always agree or disagree wholly."""


def rank_candidates(
    relevance: RelevanceFilter,
    query: str,
    video: VideoContext | None,
    results: Sequence[tuple[Any, SearchResult]],
) -> list[dict[str, Any]]:
    """Return the candidates in rank order, each as ``{id, relevance_score, entity_match, parts, moment_s}``.

    Nobody says whether the order given means anything. Titled pages of several sites come from a search service, whose order
    counts fully; that of bare passages counts as far as it agrees with what the texts say. Candidates that could not be scored
    keep their order and have no score.
    """
    marked = [replace(result, url=str(place), ranks=()) for place, (_, result) in enumerate(results)]
    scored = list(relevance.score(marked, query, video).results)
    served = _is_served([result for _, result in results])
    trust = 1.0 if served else _trust([result.relevance_score for result in scored])
    placed = [_with_place(result, place, trust, len(scored), relevance.weights) for place, result in enumerate(scored)]
    return [
        {
            "id": results[int(result.url)][0],
            "relevance_score": result.relevance_score,
            "entity_match": bool(result.entity_matches),
            "parts": asdict(result.parts) if result.parts else {},
            "moment_s": result.moment.start_s if result.moment else None,
        }
        for result in in_order(placed, entity_first=True)
    ]


def _with_place(result: SearchResult, place: int, trust: float, count: int, weights: RankingWeights) -> SearchResult:
    if result.parts is None:
        return result
    agreement = 0.5 + trust * (0.5 - place / count)
    return apply_weights(replace(result, parts=replace(result.parts, agreement=agreement)), weights)


def _is_served(results: Sequence[SearchResult]) -> bool:
    """Return whether *results* look like a search service's list: titled pages of several sites."""
    sites = {_site(result.url) for result in results if result.title.strip() and result.url.startswith("http")}
    return len(sites) >= _FEWEST_SITES and all(result.title.strip() and result.url.startswith("http") for result in results)


def _site(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:  # an address nobody can open, such as http://[
        return ""


def _trust(scores: Sequence[float | None]) -> float:
    """Return how far the order of *scores* falls beyond what chance would have it, in [0, 1].

    Held against chance is Spearman's rank correlation with the order given.
    """
    known = np.array([score for score in scores if score is not None])
    if len(known) < max(_FEWEST, len(scores)) or known.max() == known.min():
        return 0.0
    _, ties, sizes = np.unique(-known, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[ties]
    correlation = float(np.corrcoef(np.arange(len(known)), ranks)[0, 1])
    by_chance = _BY_CHANCE / sqrt(len(known) - 1)
    return min(1.0, max(0.0, (correlation - by_chance) / _TO_FULL_TRUST))
