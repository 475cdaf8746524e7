"""Scores in words and whole points."""

from __future__ import annotations

import pytest

from search_core.domain import PlanOrigin, RankingOptions, ScoreParts, Subtask
from search_core.embedding import KiwiEmbedder
from search_core.presenting import explain, hidden_because, hidden_counts, main_reason, part_values, points, threshold_points
from search_core.presenting.score_text import BY_WORDS, scored_by_words

from .conftest import english_hit, korean_hit, report


def test_a_score_is_explained_in_a_line():
    """It names the part that gives most points and what moves them most, the names of the video, and how many saw it."""
    result = korean_hit(
        relevance_score=0.699,
        parts=ScoreParts(semantic_video=0.6, lexical=1.0, agreement=0.0, recency=0.6),
        entity_matches=("한국은행",),
        providers=("a", "b"),
    )
    assert explain(result) == (
        "69점에 가장 많이 보탠 것은 ‘질문의 낱말이 들어 있음’이에요. ‘여러 곳에서 위쪽에 나옴’ 때문에 내려갔어요."
        " · 영상에 나온 이름: 한국은행 · 검색 서비스 2곳이 찾음"
    )
    assert part_values(result) == (
        ("영상과 뜻이 가까움", 0.6),
        ("질문의 낱말이 들어 있음", 1.0),
        ("여러 곳에서 위쪽에 나옴", 0.0),
        ("최신", 0.6),
    )


@pytest.mark.parametrize(
    ("score", "parts", "reason"),
    [
        (None, None, "관련도 재지 못함"),
        (0.5, None, "50점"),
        (0.0, ScoreParts(), "점수를 보탠 것이 없어요."),
        (0.004, ScoreParts(lexical=0.004), "점수를 보탠 것이 없어요."),
        (0.5, ScoreParts(lexical=0.5, agreement=0.51), "50점에 가장 많이 보탠 것은 ‘질문의 낱말이 들어 있음’이에요."),
        (0.8, ScoreParts(lexical=0.7, entity=1.0, agreement=1.0, recency=0.0), "덕분에 올랐어요."),
    ],
)
def test_the_main_reason_is_a_part_that_gives_points(score, parts, reason):
    """Without a score, without its parts and without points there is no reason; a hundredth of a move is not worth a word."""
    assert main_reason(korean_hit(relevance_score=score, parts=parts)).endswith(reason)


def test_points_are_those_that_were_reached():
    """34.9 points have not reached the threshold of 35; 0.29 is 29 although its hundredfold is 28.999999999999996."""
    assert [points(score) for score in (0.349, 0.35, 0.29, 1.7, -1.0, None)] == [34, 35, 29, 100, 0, None]
    assert [threshold_points(threshold) for threshold in (0.35, 0.29, 0.375)] == ["35", "29", "37.5"]


def test_what_is_hidden_says_why_and_is_counted_by_reason():
    """The points that lack are those up to the threshold; two of three are below it; nothing hidden is nothing said."""
    reasons = {0.2963: "기준보다 6점 낮음", 0.35: "결과 수 초과", None: "결과 수 초과"}
    for score, reason in reasons.items():
        assert hidden_because(korean_hit(relevance_score=score), RankingOptions(threshold=0.35)) == reason
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
