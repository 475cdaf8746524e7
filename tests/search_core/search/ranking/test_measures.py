"""Measures of labelled searches."""

from __future__ import annotations

from math import log2

import pytest

from search_core.search.ranking.evaluation import measure
from tests.search_core.search.ranking.labels_made import OPTIONS, search


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
