"""The threshold that keeps a promise."""

from __future__ import annotations

import numpy as np
import pytest

from search_core.domain import RankingOptions
from search_core.ranking import arrange
from search_core.ranking.evaluation.labels import LabelledSearch, ScoredLabels, order_by_score
from search_core.ranking.evaluation.threshold import (
    NoPromise,
    Promise,
    choose_next,
    describe_suggestion,
    fewest_searches,
    lower_bound,
    suggest_threshold,
    threshold_curve,
)
from tests.search_core.ranking.evaluation.made import BY_WORDS, alike, search


def suggest(searches: list[LabelledSearch]) -> Promise | NoPromise:
    return suggest_threshold(ScoredLabels.of(searches, BY_WORDS), 0.8, 0.9)


def test_bounds_are_worked_out_by_hand():
    """.8**11 = .086 and .9**22 = .098 are the first below a tenth; ten of ten bound .1**(1/10); alike labels count for less."""
    assert (fewest_searches(0.8, 0.9), fewest_searches(0.9, 0.9)) == (11, 22)
    ones = np.ones(10)
    assert lower_bound(ones, ones, 0.9) == pytest.approx(0.1 ** (1 / 10))
    few, many = np.full(10, 4.0), np.ones(40)
    assert lower_bound(few, few, 0.9) < lower_bound(many, many, 0.9)
    four = np.full(12, 4.0)  # a likeness of .3: 4 / (1 + 3 * .3) = 2.105 labels of a search, 25.26 of twelve
    assert lower_bound(four, four, 0.9) == pytest.approx(0.1 ** (1 / (48 / 1.9)))
    assert lower_bound(np.array([3.0]), np.array([0.0]), 0.9) == 0.0


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
    assert isinstance(found, Promise)
    assert (found.threshold, found.labels, found.searches) == (threshold, labels, len(searches))
    assert f"판정 {labels}개로" in describe_suggestion(found)


def test_too_few_searches_are_said_with_how_many_are_missing():
    """Nine good searches leave two to be labelled; where half is relevant no number is enough; unsure labels count nothing."""
    found = suggest(alike(9, "++++"))
    assert isinstance(found, NoPromise)
    assert (found.missing_searches, found.searches, found.labels) == (2, 9, 36)
    assert "판정한 검색이 2건 더 있어야" in describe_suggestion(found)
    some = suggest(alike(12, "+++++++-"))
    assert isinstance(some, NoPromise)
    assert isinstance(suggest(alike(12 + (some.missing_labels or 0) // 8, "+++++++-")), Promise), "as many more are enough"
    poor = suggest(alike(30, "+-"))
    assert isinstance(poor, NoPromise)
    assert (poor.missing_searches, poor.missing_labels) == (0, None)
    assert "약속할 수 없어요" in describe_suggestion(poor)
    assert isinstance(suggest(alike(15, "???")), NoPromise)


def test_points_by_hand():
    """At 60 points one of two judged is relevant and one of two relevant shown; a cut that shows nothing has no precision."""
    labels = ScoredLabels.of([search("a", (0.9, "+"), (0.7, "-"), (0.6, ""), (0.3, "+"))], BY_WORDS)
    points = {point.threshold: point for point in threshold_curve(labels)}
    assert (points[0.6].shown, points[0.6].judged, points[0.6].relevant) == (3, 2, 1)
    assert (points[0.6].precision.value, points[0.6].recall.value) == (0.5, 0.5)
    assert points[0.0].precision.value == pytest.approx(2 / 3)
    assert points[0.0].recall.value == 1.0
    empty = threshold_curve(ScoredLabels.of([search("a", (0.4, "+"))], BY_WORDS))[50]
    assert (empty.threshold, empty.precision.value, empty.recall.value) == (0.5, None, 0.0)


def test_the_curve_counts_what_the_page_shows():
    """At every cut the number of results shown is that of the page, and scores are the page's to the last digit."""
    made = search("a", *((share / 20, "+") for share in range(20)))
    labels = ScoredLabels.of([made], BY_WORDS)
    for point in threshold_curve(labels):
        options = RankingOptions(threshold=point.threshold, max_results=10, weights=BY_WORDS.weights)
        assert point.shown == len(arrange(made.results, options)[0])
    scored = search("a", (0.123456789, "+"), (0.7, "-"))
    shown = [result.relevance_score for result in order_by_score(scored.results, RankingOptions())]
    assert list(ScoredLabels.of([scored], RankingOptions()).score) == shown


def chosen(searches: list[LabelledSearch], count: int = 5) -> list[str]:
    labels = ScoredLabels.of(searches, BY_WORDS)
    return [labels.addresses[place] for place in choose_next(labels, 0.5, count)]


@pytest.mark.parametrize(
    ("searches", "count", "expected"),
    [
        ([search("a", (0.9, "+"), (0.8, "+"), (0.7, "")), search("b", (0.6, ""))], 1, ["b0"]),
        ([search("a", (0.9, ""), (0.6, "")), search("b", (0.9, ""), (0.7, ""))], 2, ["a1", "b1"]),
        ([search("a", (0.9, ""), (0.45, ""))], 5, ["a0", "a1"]),
        ([search("a", (0.2, ""))], 5, []),
        ([search("a", (0.9, "+"), (0.8, "?"), (0.7, ""))], 5, ["a2"]),
    ],
)
def test_what_teaches_most_is_asked_first(searches: list[LabelledSearch], count: int, expected: list[str]):
    """Searches with fewest labels come first, each once, shown before hidden; nothing far below the cut or judged is asked."""
    assert chosen(searches, count) == expected
