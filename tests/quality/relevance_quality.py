"""How much the score of a result means, on the lists of ``ranking_sets`` that are kept aside.

``with_video`` and ``without_video``: mean reciprocal rank of the paragraph that answers where an article plays the video and the
question mostly leaves its subject out. ``calibrated``: 1 less the expected calibration error over ten bins; ``likely``: of the
results with 70 to 80 points those that answer, 1 less the distance from .75. ``shown``: of the results that answer those at or
above the default threshold; ``hidden``: of the others those below it. ``quiet``: the same where no result answers.
``viewers_first``, ``viewers_order`` and ``viewers_shown``: of viewers' questions, which are counted in none of these, how often
the first result answers, the mean reciprocal rank of the first that does, and ``shown``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

from search_core.domain.result import DEFAULT_THRESHOLD
from search_core.language.vectors import Embedder
from search_core.search.ranking.filter import RelevanceFilter
from tests.quality.intent_quality import calibration_error
from tests.quality.ranking_sets import VIEWERS, JudgedList, judged_lists
from tests.quality.scope import Scope
from tests.quality.scorers import figures_of_scorers
from tests.quality.sets import share

ARTICLES = "articles"
LIKELY = (0.7, 0.8)


class ScoredList(NamedTuple):
    """A list, and the scores of its results."""

    of: JudgedList
    scores: list[float]


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name; none without the development sets."""
    if not scope.reads_development:
        return {}
    lists = [each for each in judged_lists() if not each.learnt_from]

    def figures_of(embedder: Embedder) -> dict[str, float]:
        scored = [score(each, embedder) for each in lists]
        of_viewers, others = [], []
        for each in scored:
            (of_viewers if each.of.kind == VIEWERS else others).append(each)
        bare = [score(replace(each, video=None), embedder) for each in lists if each.kind == ARTICLES]
        return {
            "with_video": _mean_reciprocal([each for each in scored if each.of.kind == ARTICLES]),
            "without_video": _mean_reciprocal(bare),
            **_meaning_of(others),
            "viewers_first": share(rank == 1 for rank in _ranks(of_viewers)),
            "viewers_order": _mean_reciprocal(of_viewers),
            "viewers_shown": _meaning_of(of_viewers)["shown"],
        }

    return figures_of_scorers("relevance", scope, figures_of)


def score(judged: JudgedList, embedder: Embedder) -> ScoredList:
    """Return the scores of a list's results."""
    relevance = RelevanceFilter(embedder, now=lambda: judged.now)
    results = relevance.score(judged.results, **judged.sought()).results
    return ScoredList(judged, [result.relevance_score or 0.0 for result in results])


def _meaning_of(lists: Sequence[ScoredList]) -> dict[str, float]:
    pairs = [pair for each in lists for pair in zip(each.scores, each.of.right, strict=True)]
    likely = [right for score, right in pairs if LIKELY[0] <= score < LIKELY[1]]
    silent = [score for each in lists if not any(each.of.right) for score in each.scores]
    return {
        "calibrated": 1 - calibration_error(pairs, 10),
        "likely": 1 - abs(share(likely) - 0.75),
        "shown": share(score >= DEFAULT_THRESHOLD for score, right in pairs if right),
        "hidden": share(score < DEFAULT_THRESHOLD for score, right in pairs if not right),
        "quiet": share(score < DEFAULT_THRESHOLD for score in silent),
    }


def _mean_reciprocal(lists: Sequence[ScoredList]) -> float:
    return fmean(1 / rank for rank in _ranks(lists))


def _ranks(lists: Sequence[ScoredList]) -> list[int]:
    """Return the rank of the first result that answers, of each list that has one."""
    ranks = []
    for each in lists:
        order = sorted(range(len(each.scores)), key=lambda row: -each.scores[row])
        ranks += [rank for rank, row in enumerate(order, start=1) if each.of.right[row]][:1]
    return ranks
