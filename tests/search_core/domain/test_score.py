"""The one calculation of a score."""

from __future__ import annotations

import pytest

from search_core.domain import RankingWeights, ScoreParts, calculate_score

WEIGHTS = RankingWeights(semantic_video=1, semantic_question=1, lexical=2, entity=0, recency=0.2, agreement=0.4)


def test_every_part_says_what_it_adds():
    """0.2 / 4, 0.4 / 4 and 2 * 0.6 / 4 make 0.45; newest lifts by .1, placed last lowers by .2: 0.45 * 0.9 is 0.405."""
    parts = ScoreParts(semantic_video=0.2, semantic_question=0.4, lexical=0.6, recency=1.0, agreement=0.0)
    score = calculate_score(parts, WEIGHTS)
    assert {part.name: part.amount for part in score.averaged} == pytest.approx(
        {"semantic_question": 0.1, "semantic_video": 0.05, "lexical": 0.3}
    )
    assert {part.name: part.amount for part in score.scaling} == pytest.approx({"agreement": -0.2, "recency": 0.1})
    assert (score.average, score.factor, score.score) == pytest.approx((0.45, 0.9, 0.405))


def test_parts_that_were_not_measured_are_not_in_it():
    """One measured part has the whole average, and nothing scales it."""
    score = calculate_score(ScoreParts(lexical=0.5), WEIGHTS)
    assert [(part.name, part.share) for part in score.averaged] == [("lexical", 1.0)]
    assert (score.scaling, score.factor) == ((), 1.0)


def test_odd_numbers_make_a_score():
    """No weights make 0, three tenths are .3 in spite of binary, and a share of almost no meaning leaves the score to words."""
    none = RankingWeights(semantic_video=0, semantic_question=0, lexical=0, entity=0)
    score = calculate_score(ScoreParts(lexical=0.5, recency=1.0), none)
    assert (score.averaged, score.average, score.score) == ((), 0, 0.0)
    parts = ScoreParts(semantic_video=0.1, semantic_question=0.5)
    assert calculate_score(parts, RankingWeights(semantic_video=1, semantic_question=1)).score == 0.3
    parts = ScoreParts(semantic_question=0.0, lexical=0.5, meaning_share=2.2e-311)
    assert calculate_score(parts, RankingWeights(semantic_question=0.05, lexical=0.0)).score == 0.0
