"""Measures of labelled searches, and the threshold that keeps a promise."""

from __future__ import annotations

from dataclasses import replace
from math import log2

import numpy as np
import pytest

from search_core.domain.report import Label, StoredSearch, result_key
from search_core.domain.result import SCORE_SCALE, RankingOptions, SearchResult
from search_core.search.ranking.evaluation import (
    CUTS,
    FEWEST_SEARCHES,
    LabelledSearch,
    ScoredLabels,
    Suggestion,
    chance_of,
    measure,
    suggest_for,
    suggest_threshold,
)
from search_core.search.ranking.filter import arrange
from tests.search_core.storage.test_stored_searches import REPORT

OPTIONS = RankingOptions(threshold=0.5, max_results=10)
_LABELS = {"+": Label.RELEVANT, "-": Label.NOT_RELEVANT, "?": Label.UNSURE}


def search(name: str, *results: tuple[float, str]) -> LabelledSearch:
    """Return a search whose results have these scores and signs: + relevant, - not, ? unsure, anything else not judged."""
    made = tuple(
        SearchResult(title=f"{name}{place}", url=f"{name}{place}", snippet="", source="", relevance_score=score)
        for place, (score, _) in enumerate(results)
    )
    signs = {result.url: _LABELS[sign] for result, (_, sign) in zip(made, results, strict=True) if sign in _LABELS}
    return LabelledSearch(results=made, labels=signs)


def alike(count: int, signs: str, score: float = 0.9) -> list[LabelledSearch]:
    """Return *count* searches whose results, all of one score, are labelled by *signs*."""
    return [search(f"s{number}-", *((score, sign) for sign in signs)) for number in range(count)]


@pytest.mark.parametrize(
    ("results", "ndcg", "precision", "judged"),
    [
        (((0.9, "+"), (0.8, "-"), (0.7, "+")), 1.5 / (1 + 1 / log2(3)), 0.2, 1.0),
        (((0.7, "+"), (0.7, "-"), (0.7, "-")), 1.0, 0.1, 1.0),
        (((0.9, "+"), (0.8, ""), (0.7, "?"), (0.6, "-")), 1.0, 0.1, 0.5),
        ((*((0.9, "-"),) * 9, (0.8, "+"), (0.7, "+")), 1 / log2(11) / (1 + 1 / log2(3)), 0.1, 1.0),
        ((*((0.9, ""),) * 10, (0.1, "+")), 0.0, 0.0, 0.0),
    ],
)
def test_ndcg_and_precision_by_hand(results, ndcg: float, precision: float, judged: float):
    """Gains of ten places, hidden ones included, over those of the best order; equal scores keep their order."""
    found = measure([search("a", *results)], OPTIONS)
    assert (found.ndcg, found.precision) == (pytest.approx(ndcg), pytest.approx(precision))
    assert found.judged == pytest.approx(judged)


def test_what_the_threshold_shows():
    """At 50 points two of three judged shown are relevant, two of three relevant are shown; without labels nothing is."""
    found = measure([search("a", (0.9, "+"), (0.8, "+"), (0.7, "-"), (0.6, ""), (0.4, "+"))], OPTIONS)
    assert (found.shown_relevant, found.found) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    nothing = measure([search("a", (0.9, ""))], OPTIONS)
    assert nothing.ndcg is nothing.shown_relevant is nothing.found is None
    assert measure([], OPTIONS).ndcg is None


def suggest(searches: list[LabelledSearch]) -> Suggestion:
    return suggest_threshold(ScoredLabels.of(searches, 10))


def ones(hits: int, labels: int) -> tuple[np.ndarray, np.ndarray]:
    """Return counts of so many searches with a label each, the first *hits* of them relevant."""
    return np.ones(labels), np.array([1.0] * hits + [0.0] * (labels - hits))


@pytest.mark.parametrize(
    ("hits", "labels", "share", "chance"),
    [
        (10, 10, 0.8, 0.8**10),
        (9, 10, 0.8, 0.8**10 + 10 * 0.8**9 * 0.2),
        (3, 5, 0.5, 0.5),
        (1, 4, 0.1, 1 - 0.9**4),
        (0, 3, 0.8, 1),
    ],
)
def test_chances_are_those_of_a_binomial(hits: int, labels: int, share: float, chance: float):
    """So many hits or more: sums of binomial terms, on either side of the mean."""
    assert chance_of(*ones(hits, labels), share) == pytest.approx(chance, rel=1e-9)


def test_bounds_are_worked_out_by_hand():
    """.8**11 = .086 is the first below a tenth; alike labels count for less."""
    assert FEWEST_SEARCHES == 11
    four = np.full(12, 4.0)  # a likeness of .3: 4 / (1 + 3 * .3) = 2.105 labels of a search, 25.26 of twelve
    assert chance_of(four, four, 0.8) == pytest.approx(0.8**25)


PROMISING = ((0.9, "+"), (0.9, "+"), (0.8, "+"), (0.4, "-"), (0.4, "-"))
GOOD_BELOW_BAD = ((0.9, "+"), (0.9, "+"), (0.6, "-"), (0.6, "-"), (0.2, "+"), (0.2, "+"))


@pytest.mark.parametrize(
    ("searches", "threshold", "labels"),
    [
        ([search(f"s{n}-", *PROMISING) for n in range(15)], 0.41, 45),
        ([search(f"s{n}-", *GOOD_BELOW_BAD) for n in range(20)], 0.61, 40),
        (alike(15, "+" * 30), 0.0, 150),
    ],
)
def test_right_labels_of_enough_searches_make_a_promise(searches: list[LabelledSearch], threshold: float, labels: int):
    """A promise reaches down to where labels fail, never past bad results, and counts only the ten results shown."""
    found = suggest(searches)
    assert (found.threshold, found.labels, found.searches) == (threshold, labels, len(searches))
    known = f"(90% 확신, 검색 {len(searches)}건의 평가 {labels}개로)"
    assert found.korean == f"추천 기준 {threshold * 100:.0f}점: 보이는 결과의 80% 이상이 관련 있어요. {known}"


def test_too_few_searches_are_said_with_how_many_are_missing():
    """Nine good searches leave two to be labelled; where half is relevant no number is enough; unsure labels count nothing."""
    found = suggest(alike(9, "++++"))
    assert (found.threshold, found.missing_searches, found.searches, found.labels) == (None, 2, 9, 36)
    assert found.korean == "추천 기준을 계산하려면 검색 2건을 더 평가해 주세요."
    poor = suggest(alike(30, "+-"))
    assert (poor.threshold, poor.missing_searches) == (None, 0)
    assert poor.korean == "평가 60개로는 보이는 결과의 80% 이상이 관련 있다고 약속할 기준이 없어요."
    assert suggest(alike(15, "???")).threshold is None


def test_labels_count_what_the_page_shows():
    """At every cut the number of results shown is that of the page; what has no score is left out."""
    made = search("a", *((share / 20, "+") for share in range(20)))
    labels = ScoredLabels.of([made], 10)
    for cut in map(float, CUTS):
        shown, _ = arrange(made.results, RankingOptions(threshold=cut, max_results=10))
        assert int(labels.shown(cut).sum()) == len(shown)


def test_labels_of_scores_of_another_scale_recommend_nothing():
    """Searches scored by a weighted sum are no ground for a threshold of likelihoods."""
    now = replace(REPORT, scale=SCORE_SCALE)
    labels = {result_key(now.results[0].url): Label.RELEVANT}
    stored = [
        StoredSearch(id=scale, video_key="", report=replace(REPORT, scale=scale), labels=labels) for scale in ("", SCORE_SCALE)
    ]
    assert (suggest_for(now, stored).searches, suggest_for(now, stored[:1]).searches) == (1, 0)
