"""Measures of labelled searches."""

from __future__ import annotations

from math import log2

import pytest

from search_core.ranking.evaluation.measures import measure
from tests.search_core.ranking.evaluation.made import OPTIONS, alike, search


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
    assert (found.ndcg.value, found.precision.value) == (pytest.approx(ndcg), pytest.approx(precision))
    assert found.judged.value == pytest.approx(judged)


def test_what_the_threshold_shows():
    """At 50 points two of three judged shown are relevant, two of three relevant are shown; without labels nothing is."""
    found = measure([search("a", (0.9, "+"), (0.8, "+"), (0.7, "-"), (0.6, ""), (0.4, "+"))], OPTIONS)
    assert (found.shown_relevant.value, found.found.value) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    nothing = measure([search("a", (0.9, ""))], OPTIONS)
    assert nothing.ndcg.value is nothing.shown_relevant.value is nothing.found.value is None
    assert measure([], OPTIONS).ndcg.value is None


def test_an_interval_comes_from_drawing_searches():
    """Of six searches half all good, 2 to 5 of 6 are good in nine of ten draws; five searches have an interval, four none."""
    figure = measure([*alike(3, "++"), *alike(3, "--")], OPTIONS).shown_relevant
    assert figure.value == pytest.approx(0.5)
    assert (figure.low, figure.high) == (pytest.approx(1 / 6), pytest.approx(5 / 6))
    assert measure(alike(4, "+-"), OPTIONS).shown_relevant.low is None
    assert measure(alike(5, "+-"), OPTIONS).shown_relevant.low == pytest.approx(0.5)
