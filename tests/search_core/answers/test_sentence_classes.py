from __future__ import annotations

from search_core.answers.sentence_classes import SentenceClass, stands_alone


def test_what_has_surely_lost_its_subject_does_not_stand_alone():
    """By words a small share of a claim is enough, unless most speaks for a lost subject."""
    told, lost = (dict(zip(SentenceClass, shares, strict=True)) for shares in ((0.3, 0.55, 0.1, 0.05), (0.3, 0.65, 0.03, 0.02)))
    assert stands_alone(told, "국립공원은 넓습니다.", by_meaning=False)
    assert not stands_alone(lost, "국립공원은 넓습니다.", by_meaning=False)
