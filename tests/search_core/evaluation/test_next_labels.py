"""Which results to judge next."""

from __future__ import annotations

from search_core.evaluation.labels import LabelledSearch, ScoredLabels
from search_core.evaluation.next_labels import choose_next
from tests.search_core.evaluation.made import BY_WORDS, search


def chosen(searches: list[LabelledSearch], count: int = 5) -> list[str]:
    labels = ScoredLabels.of(searches, BY_WORDS)
    return [labels.addresses[place] for place in choose_next(labels, 0.5, count)]


def test_searches_with_fewest_labels_come_first():
    """A search without a label is asked about before one with two."""
    assert chosen([search("a", (0.9, "+"), (0.8, "+"), (0.7, "")), search("b", (0.6, ""))], 1) == ["b0"]


def test_every_search_is_asked_once_before_one_is_asked_twice():
    """Of two searches with two open results each, two questions go to both."""
    found = chosen([search("a", (0.9, ""), (0.6, "")), search("b", (0.9, ""), (0.7, ""))], 2)
    assert found == ["a1", "b1"]


def test_what_is_shown_comes_before_what_is_hidden():
    """A hidden result near the cut is asked about when nothing shown is left."""
    assert chosen([search("a", (0.9, ""), (0.45, ""))]) == ["a0", "a1"]


def test_far_below_the_cut_nothing_is_asked():
    """A result that no reasonable cut shows is not asked about."""
    assert chosen([search("a", (0.2, ""))]) == []


def test_judged_results_are_not_asked_about_again():
    """Neither a clear nor an unsure label is asked for twice."""
    assert chosen([search("a", (0.9, "+"), (0.8, "?"), (0.7, ""))]) == ["a2"]
