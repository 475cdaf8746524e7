"""The one calculation of a score."""

from __future__ import annotations

import pytest

from search_core.domain import ScoreParts, calculate_score, contributions, shifts


@pytest.mark.parametrize(
    ("parts", "score"),
    [
        ({"semantic_question": 0.4, "lexical": 0.6}, (0.3 * 0.4 + 0.3 * 0.6) / 0.6),
        ({"semantic_question": 1.0, "lexical": 0.5, "meaning_share": 0.75}, (0.45 * 1.0 + 0.15 * 0.5) / 0.6),
        ({"semantic_video": 0.2, "lexical": 0.6, "meaning_share": 0.0}, (0.2 * 0.2 + 0.6 * 0.6) / 0.8),
        ({"lexical": 0.5, "recency": 1.0, "agreement": 1.0}, 0.5 * 1.25),
        ({"lexical": 0.5, "recency": 0.0, "agreement": 0.0}, 0.5 * 0.75),
        ({"lexical": 1.0, "recency": 1.0, "agreement": 1.0}, 1.0),
        ({"semantic_question": 0.0, "lexical": 0.5, "meaning_share": 2.2e-311}, 0.5),
        ({"semantic_question": 0.5, "meaning_share": 0.0}, 0.0),
        ({}, 0.0),
    ],
)
def test_parts_become_a_score(parts: dict[str, float], score: float):
    """Measured parts are averaged by weight, meaning shares with words, recency and agreement scale, and 1 is the most."""
    assert calculate_score(ScoreParts(**parts)) == pytest.approx(score)


def test_every_part_says_what_it_adds():
    """.3 * .4, .2 * .2 and .3 * .6 of .8 make .425; newest lifts by .1, placed last lowers by .15: .425 * .95 is .40375."""
    parts = ScoreParts(semantic_video=0.2, semantic_question=0.4, lexical=0.6, recency=1.0, agreement=0.0)
    assert contributions(parts) == pytest.approx({"semantic_question": 0.15, "semantic_video": 0.05, "lexical": 0.225})
    assert shifts(parts) == pytest.approx({"agreement": -0.15, "recency": 0.1})
    assert calculate_score(parts) == pytest.approx(0.40375)
    assert calculate_score(ScoreParts(semantic_video=0.1, semantic_question=0.3, lexical=0.5)) == 0.325  # in spite of binary
