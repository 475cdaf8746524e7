"""Scores in words and whole points."""

from __future__ import annotations

import pytest

from search_core.domain.report import SearchOptions
from search_core.domain.research import PlanOrigin, Subtask
from search_core.domain.result import RankingOptions, ScoreParts
from search_core.search.presenting.ledger import hidden_line
from search_core.search.presenting.score_text import (
    BESIDE,
    BY_WORDS,
    explain,
    hidden_because,
    main_reason,
    part_values,
    points,
    scored_by_words,
    threshold_points,
)

from .conftest import english_hit, korean_hit, report


def test_a_score_is_explained_in_a_line():
    """It says what is near, the names of the video, and how many saw it; what was not measured has no mark."""
    result = korean_hit(
        relevance_score=0.699,
        parts=ScoreParts(semantic_question=0.6, lexical=1.0, agreement=0.0),
        entity_matches=("한국은행",),
        providers=("a", "b"),
    )
    assert explain(result) == ("질문과 뜻이 가깝고 단어도 많이 겹쳐요. · 영상에 나온 이름: 한국은행 · 검색 서비스 2곳이 찾음")
    assert part_values(result) == (("의미 유사도", 0.6), ("단어 일치", 1.0), ("검색 순위", 0.0))


@pytest.mark.parametrize(
    ("score", "parts", "reason"),
    [
        (None, None, "관련도 재지 못함"),
        (0.5, None, "50점"),
        (0.0, ScoreParts(), "질문의 단어가 조금만 들어 있어요."),
        (0.6, ScoreParts(lexical=0.7), "질문의 단어가 많이 들어 있어요."),
        (0.5, ScoreParts(lexical=0.2, semantic_question=0.6), "단어는 적게 겹치지만 질문과 뜻이 가까워요."),
        (0.1, ScoreParts(lexical=0.7, semantic_question=0.4), f"뜻은 덜 가까워요. {BESIDE}"),
    ],
)
def test_the_main_reason_is_what_is_near(score, parts, reason):
    """Words and meaning say it; a low score beside them says that another one, or another time, may be meant."""
    assert main_reason(korean_hit(relevance_score=score, parts=parts)).endswith(reason)


def test_points_are_those_that_were_reached():
    """34.9 points have not reached the threshold of 35; 0.29 is 29 although its hundredfold is 28.999999999999996."""
    assert [points(score) for score in (0.349, 0.35, 0.29, 1.7, -1.0, None)] == [34, 35, 29, 100, 0, None]
    assert [threshold_points(threshold) for threshold in (0.35, 0.29, 0.375)] == ["35", "29", "37.5"]


def test_what_is_hidden_says_why_and_is_counted_by_reason():
    """The points that lack are those up to the threshold; two of three are below it; nothing hidden is nothing said."""
    reasons = {0.2963: "기준보다 6점 낮음", 0.35: "개수 제한으로 제외", None: "개수 제한으로 제외"}
    for score, reason in reasons.items():
        assert hidden_because(korean_hit(relevance_score=score), RankingOptions(threshold=0.35)) == reason
    hidden = (english_hit(relevance_score=0.7), english_hit(relevance_score=0.2), english_hit(relevance_score=0.1))
    options = SearchOptions(ranking=RankingOptions(threshold=0.35))
    assert hidden_line(report(hidden=hidden, options=options)) == "숨긴 결과 3개 (기준 미달 2, 개수 제한으로 제외 1)"
    assert hidden_line(report()) == ""


def test_scores_that_words_alone_gave_are_named():
    """It is said whether all searches of the run were scored so, or some."""
    told = {
        ("m", ""): "",
        (BY_WORDS, ""): "관련도는 의미 모델 없이 단어로 매겼어요.",
        ("m", BY_WORDS): "일부 검색의 관련도는 의미 모델 없이 단어로 매겨서, 다른 출처와 척도가 달라요.",
    }
    for scorers, words in told.items():
        plan = [Subtask(number=at, text="t", origin=PlanOrigin.RULES, scorer=name) for at, name in enumerate(scorers, 1)]
        assert scored_by_words(plan) == words
