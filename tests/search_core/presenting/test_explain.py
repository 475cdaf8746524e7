"""Scores in words."""

from __future__ import annotations

from search_core.domain import ScoreParts
from search_core.presenting import explain

from .conftest import korean_hit


def test_measured_parts_are_told():
    """Each measured part is told with its value, unmeasured ones are left out, terms are counted."""
    result = korean_hit(
        relevance_score=0.823,
        parts=ScoreParts(semantic_video=0.62, lexical=1.0),
        entity_matches=("한국은행",),
        providers=("a", "b"),
    )
    assert explain(result, ("기준금리", "동결", "환율")) == (
        "관련도 0.82 · 영상과의 관련 0.62 · 질문 단어 겹침 1.00 · 질문 단어 3개 중 2개 · "
        "영상에 나온 이름: 한국은행 · 검색 서비스 2곳이 찾음"
    )


def test_an_unscored_result_says_so():
    """Without a score there is nothing to explain."""
    assert explain(korean_hit()) == "관련도를 재지 못했어요."
