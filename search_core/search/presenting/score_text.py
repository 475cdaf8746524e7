"""A score for readers: whole points (rounded down), a sentence and four components on why, and why a result is hidden."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from search_core.domain.result import HiddenReason, RankingOptions, SearchResult

if TYPE_CHECKING:
    from search_core.domain.research import Subtask

PART_NAMES = {
    "semantic_question": "의미 유사도",
    "lexical": "단어 일치",
    "agreement": "검색 순위",
    "recency": "최신성",
}
"""Labels of a score's components, on pages and in files."""
UNSCORED = "관련도 재지 못함"
BY_WORDS = "kiwi"
"""Name of the scorer that compares words only."""
REASONS = {
    (True, True): "질문과 뜻이 가깝고 단어도 많이 겹쳐요",
    (True, False): "단어는 적게 겹치지만 질문과 뜻이 가까워요",
    (False, True): "질문의 단어가 많이 들어 있지만 뜻은 덜 가까워요",
    (False, False): "질문과 뜻도 단어도 조금만 겹쳐요",
    (None, True): "질문의 단어가 많이 들어 있어요",
    (None, False): "질문의 단어가 조금만 들어 있어요",
}
"""A sentence for each pair (near in meaning, near in words); the first is None if the scorer compares words only."""
BESIDE = "그래도 묻는 대상이나 때가 다를 수 있어요."
BELOW, OVER_COUNT = "기준보다 {points}점 낮음", "개수 제한으로 제외"
_POINT_DECIMALS = 7
_NEAR, _LIKELY = 0.5, 0.2
"""``_NEAR`` is the component from which texts count as near; below a score of ``_LIKELY`` the result likely lacks the answer."""


def points(score: float | None) -> int | None:
    """Return a score in [0, 1] as whole points from 0 to 100, rounded down; None without a score."""
    return None if score is None else math.floor(round(min(1.0, max(0.0, score)) * 100, _POINT_DECIMALS))


def threshold_points(threshold: float) -> str:
    """Return a threshold in [0, 1] in points, with a fraction only where it has one."""
    return f"{round(threshold * 100, 2):g}"


def hidden_because(result: SearchResult, ranking: RankingOptions) -> str:
    """Return why *ranking* hides *result*, in a few Korean words."""
    score = result.relevance_score
    if score is None or ranking.reason_hidden(score) is HiddenReason.OVER_COUNT:
        return OVER_COUNT
    return BELOW.format(points=math.ceil(round((ranking.threshold - score) * 100, _POINT_DECIMALS)))


def part_values(result: SearchResult) -> tuple[tuple[str, float], ...]:
    """Return the measured components of a score by their labels, each in [0, 1]."""
    values = ((name, getattr(result.parts, part, None)) for part, name in PART_NAMES.items())
    return tuple((name, value) for name, value in values if value is not None)


def main_reason(result: SearchResult) -> str:
    """Return in a Korean sentence why *result* has its score."""
    reached, parts = points(result.relevance_score), result.parts
    if reached is None:
        return UNSCORED
    if parts is None:
        return f"{reached}점"
    near = None if parts.semantic_question is None else parts.semantic_question >= _NEAR
    held = (parts.lexical or 0.0) >= _NEAR
    beside = f" {BESIDE}" if (near or held) and (result.relevance_score or 0.0) < _LIKELY else ""
    return f"{REASONS[near, held]}.{beside}"


def explain(result: SearchResult) -> str:
    """Return why *result* has its score, in one Korean line."""
    facts = [main_reason(result)]
    if result.entity_matches:
        facts.append(f"영상에 나온 이름: {', '.join(result.entity_matches)}")
    if len(result.providers) > 1:
        facts.append(f"검색 서비스 {len(result.providers)}곳이 찾음")
    return " · ".join(facts)


def scored_by_words(plan: Sequence[Subtask]) -> str:
    """Return a sentence on the parts of a *plan* whose sources were scored by words alone; empty without any."""
    scorers = {part.scorer for part in plan} - {"", "none"}
    if BY_WORDS not in scorers:
        return ""
    if scorers == {BY_WORDS}:
        return "관련도는 의미 모델 없이 단어로 매겼어요."
    return "일부 검색의 관련도는 의미 모델 없이 단어로 매겨서, 다른 출처와 척도가 달라요."
