"""A score as readers see it: in whole points, with what it is made of, and why a result is hidden.

Points are counted downwards: a result of 34.9 has reached 34 points and not the threshold of 35.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from search_core.domain import HiddenReason, RankingOptions, SearchReport, SearchResult, Subtask, contributions, shifts

PART_NAMES = {
    "semantic_question": "질문과 뜻이 가까움",
    "semantic_video": "영상과 뜻이 가까움",
    "lexical": "질문의 낱말이 들어 있음",
    "entity": "영상의 인물·기업·행사가 나옴",
    "agreement": "검색 서비스에서 위쪽에 나옴",
    "recency": "최신",
}
"""What the parts of a score are called, on pages and in files."""
SEEN_BY_SEVERAL = "여러 곳에서 위쪽에 나옴"
"""What ``agreement`` is called for a result that several services gave."""
UNSCORED = "관련도 재지 못함"
BY_WORDS = "kiwi"
"""Name of the scorer that reads no meaning."""
MAIN_REASON = "{points}점에 가장 많이 보탠 것은 ‘{name}’이에요."
RAISED, LOWERED = "‘{name}’ 덕분에 올랐어요.", "‘{name}’ 때문에 내려갔어요."
NO_POINTS = "점수를 보탠 것이 없어요."
BELOW, OVER_COUNT = "기준보다 {points}점 낮음", "결과 수 초과"
_POINT_DECIMALS = 7
_WORTH_SAYING = 0.01
"""By less nothing is said to move a score."""


def points(score: float | None) -> int | None:
    """Return a score in [0, 1] as the whole points it reaches, 0 to 100; None when there is none."""
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


def hidden_counts(report: SearchReport) -> str:
    """Return how many results are hidden for which reason, as ``기준 아래 3 · 결과 수 초과 2``; empty where none are."""
    counts = (("기준 아래", len(report.hidden_below)), (OVER_COUNT, len(report.hidden_over_count)))
    return " · ".join(f"{name} {count}" for name, count in counts if count)


def part_values(result: SearchResult) -> tuple[tuple[str, float], ...]:
    """Return how the parts of the score that were measured are called, each with what it came to in [0, 1]."""
    values = ((_name(part, result), getattr(result.parts, part, None)) for part in PART_NAMES)
    return tuple((name, value) for name, value in values if value is not None)


def main_reason(result: SearchResult) -> str:
    """Return in Korean which part gives *result* most of its points, and which moves them most after that."""
    reached = points(result.relevance_score)
    if reached is None:
        return UNSCORED
    if result.parts is None:
        return f"{reached}점"
    given, moved = contributions(result.parts), shifts(result.parts)
    if not given or reached == 0:
        return NO_POINTS
    sentence = MAIN_REASON.format(points=reached, name=_name(max(given, key=given.__getitem__), result))
    mover = max(moved, key=lambda part: abs(moved[part]), default="")
    if not mover or abs(moved[mover]) < _WORTH_SAYING:
        return sentence
    words = RAISED if moved[mover] > 0 else LOWERED
    return f"{sentence} {words.format(name=_name(mover, result))}"


def explain(result: SearchResult) -> str:
    """Return why *result* has its score, in one Korean line."""
    facts = [main_reason(result)]
    if result.entity_matches:
        facts.append(f"영상에 나온 이름: {', '.join(result.entity_matches)}")
    if len(result.providers) > 1:
        facts.append(f"검색 서비스 {len(result.providers)}곳이 찾음")
    return " · ".join(facts)


def _name(part: str, result: SearchResult) -> str:
    return SEEN_BY_SEVERAL if part == "agreement" and len(result.providers) > 1 else PART_NAMES[part]


def scored_by_words(plan: Sequence[Subtask]) -> str:
    """Return a sentence on the parts of a *plan* whose sources words alone gave their scores; empty where there is none."""
    searched = [part for part in plan if part.scorer not in ("", "none")]
    by_words = [part.number for part in searched if part.scorer == BY_WORDS]
    if not by_words:
        return ""
    if len(by_words) == len(searched):
        return "관련도는 의미 모델 없이 단어로 매겼어요."
    numbers = ", ".join(f"{number}번" for number in by_words)
    return f"{numbers} 검색의 관련도는 의미 모델 없이 단어로 매겨서, 다른 출처와 눈금이 달라요."
