"""A score as readers see it: in points, with the parts it is made of, and why a result is hidden.

Points are counted downwards: a result of 34.9 has reached 34 points and not the threshold of 35. What is shown of the parts comes
to those points for whoever calculates after it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from search_core.domain import (
    HiddenReason,
    RankingOptions,
    RankingWeights,
    ScoreCalculation,
    SearchReport,
    SearchResult,
    Subtask,
    WeighedPart,
    calculate_score,
)

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
TOTAL, FACTOR = "합계", "곱하는 값"
UNSCORED = "관련도 재지 못함"
BY_WORDS = "kiwi"
"""Name of the scorer that reads no meaning."""
MAIN_REASON = "{points}점에 가장 많이 보탠 것은 ‘{name}’이에요({amount}점)."
RAISED, LOWERED = "‘{name}’ 덕분에 {amount} 올랐어요.", "‘{name}’ 때문에 {amount} 내려갔어요."
NO_POINTS = "점수를 보탠 것이 없어요."
BELOW, OVER_COUNT = "기준보다 {points}점 낮음", "결과 수 초과"
_POINT_DECIMALS = 7
_MOST_DECIMALS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPart:
    """A part of a score in words."""

    part: str
    """The field of ScoreParts."""
    name: str
    value: float
    """As measured, in [0, 1]."""
    share: str
    """Of an averaged part its share (``30%``), of a scaling one how far it can move the score (``±10%``)."""
    amount: str
    """Of an averaged part the points it gives (``18.3``), of a scaling one how far it moves the score (``+6%``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownScore:
    """A score in numbers that add up: the amounts of the averaged parts to the total, that times the factor to the points."""

    averaged: tuple[ShownPart, ...]
    total: str
    scaling: tuple[ShownPart, ...]
    factor: str
    """As ``1.12``; the amounts of the scaling parts make it."""
    points: int
    """What is left of a fraction is dropped, what is over 100 too."""
    capped: bool
    """Whether it would be more than 100 points."""


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


def shown_score(result: SearchResult, weights: RankingWeights) -> ShownScore | None:
    """Return the score that *weights* give *result*, part by part; None where nothing was measured."""
    if result.parts is None or result.relevance_score is None:
        return None
    score = calculate_score(result.parts, weights)
    reached = points(score.score) or 0
    total, factor = _numbers_that_make(reached, score)
    decimals = -int(total.as_tuple().exponent)
    amounts = _split(total, [part.amount * 100 for part in score.averaged], decimals)
    moves = _split((factor - 1) * 100, [part.amount * 100 for part in score.scaling], decimals - 1)
    shares = _split(Decimal(100), [part.share * 100 for part in score.averaged], 0)
    several = len(result.providers) > 1
    return ShownScore(
        averaged=tuple(
            _shown_part(part, f"{share}%", f"{amount}", several)
            for part, share, amount in zip(score.averaged, shares, amounts, strict=True)
        ),
        total=f"{total}",
        scaling=tuple(
            _shown_part(part, f"±{part.share * 50:g}%", _signed(move), several)
            for part, move in zip(score.scaling, moves, strict=True)
        ),
        factor=f"{factor}",
        points=reached,
        capped=score.average * score.factor > 1,
    )


def main_reason(score: ShownScore) -> str:
    """Return in a Korean sentence which part gives a score most of its points, and which moves it most after that."""
    if not score.averaged or score.points == 0:
        return NO_POINTS
    most = max(score.averaged, key=lambda part: Decimal(part.amount))
    sentence = MAIN_REASON.format(points=score.points, name=most.name, amount=most.amount)
    moved = [part for part in score.scaling if part.amount != "0%"]
    if not moved:
        return sentence
    mover = max(moved, key=lambda part: abs(_percent(part.amount)))
    words = RAISED if _percent(mover.amount) > 0 else LOWERED
    return f"{sentence} {words.format(name=mover.name, amount=mover.amount[1:])}"


def _percent(amount: str) -> Decimal:
    return Decimal(amount.removesuffix("%").replace("−", "-"))


def explain(result: SearchResult, weights: RankingWeights) -> str:
    """Return what the score of *result* is made of, in one Korean line."""
    shown = shown_score(result, weights)
    if shown is None:
        reached = points(result.relevance_score)
        return UNSCORED if reached is None else f"{reached}점"
    sums = " + ".join(f"{part.name} {part.amount}" for part in shown.averaged)
    line = f"{shown.points}점 = {sums} = {shown.total}" if sums else f"{shown.points}점"
    if sums and shown.scaling:
        moves = ", ".join(f"{part.name} {part.amount}" for part in shown.scaling)
        line = f"{shown.points}점 = ({sums} = {shown.total}) ×{shown.factor} ({moves})"
    facts = [line]
    if result.entity_matches:
        facts.append(f"영상에 나온 이름: {', '.join(result.entity_matches)}")
    if len(result.providers) > 1:
        facts.append(f"검색 서비스 {len(result.providers)}곳이 찾음")
    return " · ".join(facts)


def _shown_part(part: WeighedPart, share: str, amount: str, several: bool) -> ShownPart:
    name = SEEN_BY_SEVERAL if several and part.name == "agreement" else PART_NAMES[part.name]
    return ShownPart(part=part.name, name=name, value=part.value, share=share, amount=amount)


def _signed(move: Decimal) -> str:
    sign = "−" if move < 0 else "+" if move > 0 else ""
    return f"{sign}{abs(move)}%"


def _numbers_that_make(reached: int, score: ScoreCalculation) -> tuple[Decimal, Decimal]:
    """Return total and factor, rounded to as few decimals as still make *reached* points; one and two nearly always."""
    nearest = [(decimals, ROUND_HALF_UP) for decimals in range(1, _MOST_DECIMALS + 1)]
    tries = [*nearest, (_MOST_DECIMALS, ROUND_CEILING), (_MOST_DECIMALS, ROUND_FLOOR)]
    total, factor = Decimal(0), Decimal(1)
    for decimals, rounding in tries:
        total = _decimal(score.average * 100, decimals, rounding)
        factor = _decimal(score.factor, decimals + 1, rounding)
        if math.floor(min(Decimal(100), total * factor)) == reached:
            break
    return total, factor


def _split(total: Decimal, amounts: Sequence[float], decimals: int) -> list[Decimal]:
    """Return *amounts* rounded so that they add up to *total*: those with the most cut off get what is left."""
    unit = Decimal(1).scaleb(-decimals)
    cut = [_decimal(amount, decimals, ROUND_FLOOR) for amount in amounts]
    left = int((total - sum(cut)) / unit) if cut else 0
    by_rest = sorted(range(len(cut)), key=lambda place: float(cut[place]) - amounts[place])
    for place in by_rest[:left]:
        cut[place] += unit
    return cut


def _decimal(number: float, decimals: int, rounding: str) -> Decimal:
    return Decimal(str(round(number, 9))).quantize(Decimal(1).scaleb(-decimals), rounding=rounding)


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
