"""A score in words."""

from __future__ import annotations

from collections.abc import Sequence

from search_core.domain import SearchResult
from search_core.korean import normalize

_PARTS = (
    ("semantic_video", "영상과의 관련"),
    ("semantic_question", "질문과의 관련"),
    ("lexical", "질문 단어 겹침"),
    ("entity", "영상 속 이름"),
    ("recency", "최근 정도"),
    ("agreement", "검색 서비스의 평가"),
)


def explain(result: SearchResult, terms: Sequence[str] = ()) -> str:
    """Return what the score of *result* is made of, in one Korean line; *terms* are the content words of the question."""
    if result.relevance_score is None:
        return "관련도를 재지 못했어요."
    facts = [f"관련도 {result.relevance_score:.2f}"]
    if result.parts is not None:
        values = ((name, getattr(result.parts, field)) for field, name in _PARTS)
        facts += [f"{name} {value:.2f}" for name, value in values if value is not None]
    if terms:
        text = normalize(f"{result.title} {result.snippet}").casefold()
        found = sum(normalize(term).casefold() in text for term in terms)
        facts.append(f"질문 단어 {len(terms)}개 중 {found}개")
    if result.entity_matches:
        facts.append(f"영상에 나온 이름: {', '.join(result.entity_matches)}")
    if len(result.providers) > 1:
        facts.append(f"검색 서비스 {len(result.providers)}곳이 찾음")
    return " · ".join(facts)
