"""Precision and recall over the threshold."""

from __future__ import annotations

import pytest

from search_core.domain import RankingOptions
from search_core.evaluation.curve import threshold_curve
from search_core.evaluation.labels import ScoredLabels, order_by_score
from search_core.relevance import arrange
from tests.search_core.evaluation.made import BY_WORDS, search


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
