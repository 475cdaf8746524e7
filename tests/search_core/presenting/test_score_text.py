"""Scores in words and numbers that add up."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.domain import PlanOrigin, RankingOptions, RankingWeights, ScoreParts, Subtask, calculate_score
from search_core.embedding import KiwiEmbedder
from search_core.presenting import explain, hidden_because, hidden_counts, main_reason, points, shown_score, threshold_points
from search_core.presenting.score_text import BY_WORDS, scored_by_words

from .conftest import english_hit, korean_hit, report

WEIGHTS = RankingWeights(semantic_video=1, semantic_question=1, lexical=2, entity=0, recency=0.2, agreement=0.4)


def test_a_score_is_told_as_a_sum():
    """0.6 and two times 1.0 are 2.6 of 3: 20.0 and 66.7 points make 86.7; placed last by two services lowers them by a fifth."""
    result = korean_hit(
        relevance_score=0.5,
        parts=ScoreParts(semantic_video=0.6, lexical=1.0, agreement=0.0),
        entity_matches=("한국은행",),
        providers=("a", "b"),
    )
    assert explain(result, WEIGHTS) == (
        "69점 = (영상과 뜻이 가까움 20.0 + 질문의 낱말이 들어 있음 66.7 = 86.7) ×0.80 (여러 곳에서 위쪽에 나옴 −20%)"
        " · 영상에 나온 이름: 한국은행 · 검색 서비스 2곳이 찾음"
    )


def test_an_unscored_result_says_so():
    """Without a score there is nothing to explain."""
    assert explain(korean_hit(), WEIGHTS) == "관련도 재지 못함"
    assert explain(korean_hit(relevance_score=0.5, parts=ScoreParts(lexical=0.5)), WEIGHTS).startswith("50점 = ")


unit = st.floats(0, 1) | st.sampled_from([0.0, 1 / 3, 0.35, 0.62, 2 / 3, 1.0])
part = st.none() | unit
PARTS = st.builds(
    ScoreParts,
    semantic_video=part,
    semantic_question=part,
    lexical=part,
    entity=part,
    recency=part,
    agreement=part,
    meaning_share=part,
)
TURNED = st.builds(
    RankingWeights, semantic_video=unit, semantic_question=unit, lexical=unit, entity=unit, recency=unit, agreement=unit
)


@settings(max_examples=60, deadline=None)
@given(PARTS, TURNED)
def test_a_reader_with_a_calculator_gets_the_points(parts, weights):
    """The amounts add up to the total, the moves to the factor, the shares to 100 %, and total times factor is the points."""
    shown = shown_score(korean_hit(relevance_score=0.5, parts=parts), weights)
    assert shown is not None
    total = sum((Decimal(part.amount) for part in shown.averaged), Decimal(0))
    moves = sum((Decimal(part.amount.replace("−", "-").rstrip("%")) for part in shown.scaling), Decimal(0))
    assert total == Decimal(shown.total)
    assert 1 + moves / 100 == Decimal(shown.factor)
    assert sum(int(part.share.rstrip("%")) for part in shown.averaged) == (100 if shown.averaged else 0)
    assert math.floor(min(Decimal(100), total * Decimal(shown.factor))) == shown.points
    assert shown.points == points(calculate_score(parts, weights).score)


def test_points_are_those_that_were_reached():
    """34.9 points have not reached the threshold of 35; 0.29 is 29 although its hundredfold is 28.999999999999996."""
    assert [points(score) for score in (0.349, 0.35, 0.29, 1.7, -1.0, None)] == [34, 35, 29, 100, 0, None]
    assert [threshold_points(threshold) for threshold in (0.35, 0.29, 0.375)] == ["35", "29", "37.5"]


@pytest.mark.parametrize(
    ("score", "reason"),
    [
        (0.2963, "기준보다 6점 낮음"),
        (0.35, "결과 수 초과"),
        (None, "결과 수 초과"),
    ],
)
def test_a_hidden_result_says_why(score, reason):
    """The points that lack are those between the points shown and the threshold."""
    assert hidden_because(korean_hit(relevance_score=score), RankingOptions(threshold=0.35)) == reason


def test_what_is_hidden_is_counted_by_reason():
    """Two of three are below the threshold; nothing hidden is nothing said."""
    hidden = (english_hit(relevance_score=0.7), english_hit(relevance_score=0.2), english_hit(relevance_score=0.1))
    assert hidden_counts(report(hidden=hidden)) == "기준 아래 2 · 결과 수 초과 1"
    assert hidden_counts(report()) == ""


@pytest.mark.parametrize(
    ("scorers", "told"),
    [
        (("m", "m"), ""),
        (("", "none"), ""),
        ((BY_WORDS, BY_WORDS, ""), "관련도는 의미 모델 없이 단어로 매겼어요."),
        (("m", BY_WORDS, BY_WORDS), "2번, 3번 검색의 관련도는 의미 모델 없이 단어로 매겨서, 다른 출처와 눈금이 달라요."),
    ],
)
def test_scores_that_words_alone_gave_are_named(scorers, told):
    """Where a search of a run was scored without the model, that is said, with its number where others were scored with one."""
    plan = [Subtask(number=number, text="t", origin=PlanOrigin.RULES, scorer=name) for number, name in enumerate(scorers, 1)]
    assert scored_by_words(plan) == told
    assert KiwiEmbedder().name == BY_WORDS


def test_a_score_is_explained_in_a_sentence():
    """It names the part that gives most points, and what moves the score most after that; no points have no reason."""
    parts = ScoreParts(semantic_question=0.8, semantic_video=0.2, lexical=0.1, entity=0.0, agreement=1.0, recency=0.5)
    weights = RankingWeights(semantic_question=0.5, semantic_video=0.3, lexical=0.2, entity=0.0, agreement=0.3, recency=0.2)
    shown = shown_score(korean_hit(relevance_score=0.5, parts=parts, providers=("naver",)), weights)
    assert shown is not None
    sentence = main_reason(shown)
    assert sentence.startswith(f"{shown.points}점에 가장 많이 보탠 것은 ‘질문과 뜻이 가까움’이에요(")
    assert sentence.endswith("‘검색 서비스에서 위쪽에 나옴’ 덕분에 15% 올랐어요.")
    nothing = shown_score(korean_hit(relevance_score=0.0, parts=ScoreParts()), weights)
    assert nothing is not None
    assert main_reason(nothing) == "점수를 보탠 것이 없어요."
