"""Which sentences of a page bear on a question."""

from __future__ import annotations

import pytest

from search_core.answers.nearest_sentences import order_by_bearing
from search_core.text import korean

ABOUT = "거울의 지름은 얼마야?"
ENGLISH = ("The launch was late.", "Fuel is cheap.", "Its mirror is wide.", "A diameter is a length.")


@pytest.fixture(scope="module")
def wanted() -> frozenset[str]:
    return frozenset(korean.terms(ABOUT))


def never(about, sentences):
    """Fail: nothing is to be scored."""
    raise AssertionError(sentences)


def test_words_decide_in_one_language(wanted):
    """Most of the terms come first, nothing is scored, equals keep their order; 거울 is a mirror and 지름 a diameter."""
    said = ("발사는 늦었다.", "거울은 금빛이다.", "거울의 지름은 6.5미터다.", "연료는 싸다.")
    assert order_by_bearing(said, ABOUT, wanted, never) == [2, 1, 0, 3]
    assert order_by_bearing((), ABOUT, wanted, never) == []
    first, second, *rest = order_by_bearing(ENGLISH, ABOUT, wanted)
    assert ({first, second}, rest) == ({2, 3}, [0, 1])


def test_scores_order_the_first_ones_and_no_more(wanted):
    """Two of four are scored, those that words put first; the others follow as words have them."""
    asked = []

    def scores(about, sentences):
        asked.append(tuple(sentences))
        return [float("diameter" in sentence) for sentence in sentences]

    assert order_by_bearing(ENGLISH, ABOUT, wanted, scores, at_most=2) == [3, 2, 0, 1]
    assert [set(each) for each in asked] == [{ENGLISH[2], ENGLISH[3]}]
