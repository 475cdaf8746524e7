"""Which results to judge next."""

from __future__ import annotations

import pytest

from search_core.evaluation.labels import LabelledSearch, ScoredLabels
from search_core.evaluation.next_labels import choose_next
from tests.search_core.evaluation.made import BY_WORDS, search


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
