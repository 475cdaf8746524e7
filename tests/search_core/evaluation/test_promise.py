"""The threshold that keeps a promise."""

from __future__ import annotations

import numpy as np
import pytest

from search_core.evaluation.labels import LabelledSearch, ScoredLabels
from search_core.evaluation.promise import (
    NoPromise,
    Promise,
    describe_suggestion,
    fewest_searches,
    lower_bound,
    suggest_threshold,
)
from tests.search_core.evaluation.made import BY_WORDS, alike, search


def suggest(searches: list[LabelledSearch]) -> Promise | NoPromise:
    return suggest_threshold(ScoredLabels.of(searches, BY_WORDS), 0.8, 0.9)


def test_eleven_searches_are_the_fewest_for_eight_in_ten():
    """.8 to the power of 11 is .086, below a tenth; to the power of 10 it is .107, above."""
    assert fewest_searches(0.8, 0.9) == 11


def test_twenty_two_searches_are_the_fewest_for_nine_in_ten():
    """.9 to the power of 22 is .098; to the power of 21 it is .109."""
    assert fewest_searches(0.9, 0.9) == 22


def test_the_bound_of_single_labels_is_the_exact_one():
    """Ten right of ten searches with one label each: the share whose tenth power is .1, that is .794."""
    ones = np.ones(10)
    assert lower_bound(ones, ones, 0.9) == pytest.approx(0.1 ** (1 / 10))


def test_labels_of_one_search_count_for_less():
    """Forty right labels say less in ten searches than in forty."""
    few, many = np.full(10, 4.0), np.ones(40)
    assert lower_bound(few, few, 0.9) < lower_bound(many, many, 0.9)


def test_four_alike_labels_of_a_search_are_worth_two():
    """With a likeness of .3 four labels count as 4 / (1 + 3 × .3) = 2.105, so 12 searches as 25.26 right labels."""
    counts = np.full(12, 4.0)
    assert lower_bound(counts, counts, 0.9) == pytest.approx(0.1 ** (1 / (48 / 1.9)))


def test_nothing_relevant_bounds_nothing():
    """Without a relevant label the bound is 0."""
    assert lower_bound(np.array([3.0]), np.array([0.0]), 0.9) == 0.0


def test_right_labels_of_enough_searches_make_a_promise():
    """Fifteen searches with three right results each at 90 points promise the cut down to where further labels begin."""
    searches = [search(f"s{n}-", (0.9, "+"), (0.9, "+"), (0.8, "+"), (0.4, "-"), (0.4, "-")) for n in range(15)]
    found = suggest(searches)
    assert isinstance(found, Promise)
    assert (found.threshold, found.labels, found.searches) == (0.41, 45, 15)


def test_a_promise_never_goes_below_a_cut_that_fails():
    """Good results below bad ones do not lower the threshold past the bad ones."""
    searches = [search(f"s{n}-", (0.9, "+"), (0.9, "+"), (0.6, "-"), (0.6, "-"), (0.2, "+"), (0.2, "+")) for n in range(20)]
    found = suggest(searches)
    assert isinstance(found, Promise)
    assert found.threshold == 0.61


def test_too_few_searches_are_said_with_how_many_are_missing():
    """Nine searches, however good, leave two to be labelled."""
    found = suggest(alike(9, "++++"))
    assert isinstance(found, NoPromise)
    assert (found.missing_searches, found.searches, found.labels) == (2, 9, 36)


def test_results_that_are_not_good_enough_are_told_apart_from_too_few():
    """Where half of what is shown is relevant, no number of such labels makes a promise."""
    found = suggest(alike(30, "+-"))
    assert isinstance(found, NoPromise)
    assert (found.missing_searches, found.missing_labels) == (0, None)


def test_missing_labels_are_enough_when_they_come():
    """As many labels more of the same kind as were said to be missing do make the promise."""
    found = suggest(alike(12, "+++++++-"))
    assert isinstance(found, NoPromise)
    assert found.missing_labels is not None
    assert isinstance(suggest(alike(12 + found.missing_labels // 8, "+++++++-")), Promise)


def test_results_past_the_number_shown_promise_nothing():
    """Labels of results that no page shows are not counted."""
    searches = alike(15, "+" * 30)
    found = suggest(searches)
    assert isinstance(found, Promise)
    assert found.labels == 15 * 10


def test_unsure_labels_promise_nothing():
    """Unsure labels count as not judged."""
    assert isinstance(suggest(alike(15, "???")), NoPromise)


@pytest.mark.parametrize(
    ("searches", "words"),
    [
        (alike(15, "+++"), "추천 기준 0.00: 보이는 결과의 80 % 이상이 관련 있어요. (90 % 확신, 검색 15건의 판정 45개로)"),
        (alike(9, "+++"), "80 %를 90 % 확신으로 약속하려면 판정한 검색이 2건 더 있어야 해요."),
        (alike(30, "+-"), "어느 기준에서도 보이는 결과의 80 % 이상이 관련 있다고 약속할 수 없어요."),
    ],
)
def test_a_suggestion_is_said_in_a_sentence(searches: list[LabelledSearch], words: str):
    """A promise says its threshold, share, confidence and labels; no promise says what is missing."""
    assert describe_suggestion(suggest(searches)) == words
