from __future__ import annotations

import numpy as np
import pytest

from search_core.answers.sentence_classes import (
    SentenceClass,
    classify_sentences,
    has_lost_subject,
    may_stand_alone,
    stands_alone,
)


@pytest.mark.parametrize(
    ("named", "lost"),
    [
        ("국민은행은 2025년에 3조 원을 벌었습니다.", "이는 그 전해보다 15퍼센트 늘어난 겁니다."),
        ("정부는 오늘 전기요금을 5퍼센트 올린다고 밝혔습니다.", "당시 이들은 25억 원을 주고 샀는데 지금은 4배 이상 올랐습니다."),
        ("Samsung sold 260 million phones in 2022.", "And they sold it to them for $40 million, you know."),
    ],
)
def test_a_sentence_with_its_subject_stands_rather_than_one_that_points_back(named: str, lost: str):
    """Who names the subject says a claim; what only points at earlier words is likelier to have lost it."""
    first, second = classify_sentences([named, lost], ["", ""], [None, None], [None, None])
    assert first[SentenceClass.CLAIM] > second[SentenceClass.CLAIM]
    assert second[SentenceClass.LOST] > first[SentenceClass.LOST]
    assert not stands_alone(second, lost, by_meaning=False)
    assert sum(first.values()) == pytest.approx(1)


def test_a_vector_counts_where_there_is_one():
    """Sentences with a vector and without are judged together, each by its own weights, the one before in Korean alone."""
    vector = np.full(384, 0.05, np.float32)
    for text, different in (("국민은행은 2025년에 3조 원을 벌었습니다.", 3), ("Samsung sold 260 million phones in 2022.", 2)):
        judged = classify_sentences([text] * 3, [""] * 3, [None, vector, vector], [vector, None, vector])
        assert len({tuple(each.values()) for each in judged}) == different
        assert judged[0] == pytest.approx(classify_sentences([text], [""], [None], [None])[0])
    assert classify_sentences([], [], [], []) == []


def test_what_is_likelier_a_claim_than_anything_else_may_stand_alone():
    """The share of a claim need not be as high as of one that stands alone, but the highest of the four."""
    likely, unlikely = (dict(zip(SentenceClass, shares, strict=True)) for shares in ((0.4, 0.3, 0.2, 0.1), (0.4, 0.1, 0.0, 0.5)))
    assert may_stand_alone(likely)
    assert not stands_alone(likely, "Samsung sold 260 million phones.", by_meaning=True)
    assert not may_stand_alone(unlikely)


def test_what_has_surely_lost_its_subject_does_not_stand_alone():
    """By words a small share of a claim is enough, unless most speaks for a lost subject."""
    told, lost = (dict(zip(SentenceClass, shares, strict=True)) for shares in ((0.3, 0.55, 0.1, 0.05), (0.3, 0.65, 0.03, 0.02)))
    assert (has_lost_subject(told), has_lost_subject(lost)) == (False, True)
    assert stands_alone(told, "국립공원은 넓습니다.", by_meaning=False)
    assert not stands_alone(lost, "국립공원은 넓습니다.", by_meaning=False)
