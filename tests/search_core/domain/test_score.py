"""The one calculation of a score."""

from __future__ import annotations

import pytest

from search_core.domain import RankingWeights, ScoreParts, calculate_score

WEIGHTS = RankingWeights(semantic_video=1, semantic_question=1, lexical=2, entity=0, recency=0.2, agreement=0.4)


@pytest.mark.parametrize(
    ("parts", "score"),
    [
        ({"semantic_question": 0.4, "lexical": 0.6}, (0.4 + 2 * 0.6) / 3),
        ({"semantic_question": 1.0, "lexical": 0.5, "meaning_share": 0.75}, (1.8 * 1.0 + 1.2 * 0.5) / 3),
        ({"semantic_video": 0.2, "lexical": 0.6, "meaning_share": 0.0}, (0.2 + 3 * 0.6) / 4),
        ({"lexical": 0.5, "recency": 1.0, "agreement": 1.0}, 0.5 * 1.3),
        ({"lexical": 0.5, "recency": 0.0, "agreement": 0.0}, 0.5 * 0.7),
        ({"lexical": 1.0, "recency": 1.0, "agreement": 1.0}, 1.0),
        ({}, 0.0),
    ],
)
def test_parts_become_a_score(parts: dict[str, float], score: float):
    """Measured parts are averaged by weight, meaning shares with words, recency and agreement scale, and 1 is the most."""
    assert calculate_score(ScoreParts(**parts), WEIGHTS).score == pytest.approx(score)


def test_every_part_says_what_it_adds():
    """0.2 / 4, 0.4 / 4 and 2 * 0.6 / 4 make 0.45; newest lifts by .1, placed last lowers by .2: 0.45 * 0.9 is 0.405."""
    parts = ScoreParts(semantic_video=0.2, semantic_question=0.4, lexical=0.6, recency=1.0, agreement=0.0)
    score = calculate_score(parts, WEIGHTS)
    assert {part.name: part.amount for part in score.averaged} == pytest.approx(
        {"semantic_question": 0.1, "semantic_video": 0.05, "lexical": 0.3}
    )
    assert {part.name: part.amount for part in score.scaling} == pytest.approx({"agreement": -0.2, "recency": 0.1})
    assert (score.average, score.factor, score.score) == pytest.approx((0.45, 0.9, 0.405))


def test_odd_numbers_make_a_score():
    """No weights make 0, three tenths are .3 in spite of binary, and a share of almost no meaning leaves the score to words."""
    none = RankingWeights(semantic_video=0, semantic_question=0, lexical=0, entity=0)
    score = calculate_score(ScoreParts(lexical=0.5, recency=1.0), none)
    assert (score.averaged, score.average, score.score) == ((), 0, 0.0)
    parts = ScoreParts(semantic_video=0.1, semantic_question=0.5)
    assert calculate_score(parts, RankingWeights(semantic_video=1, semantic_question=1)).score == 0.3
    parts = ScoreParts(semantic_question=0.0, lexical=0.5, meaning_share=2.2e-311)
    assert calculate_score(parts, RankingWeights(semantic_question=0.05, lexical=0.0)).score == 0.0
