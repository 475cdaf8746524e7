"""Everyday opposites in a sentence, a denied word counted on the other side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from search_core import korean

_OPPOSITES = """
같 동일 똑같 - 다르 다른 차이 상이
많 - 적 드물
더 - 덜
있 - 없
좋아하 좋 - 싫어하 싫 나쁘
알 - 모르
쉽 - 어렵 힘들
크 - 작
길 - 짧
높 - 낮
빠르 - 느리
모두 전부 모든 항상 언제나 늘 - 아무 전혀 절대 결코 거의
안전 - 위험
가능 - 불가능
성공 - 실패
찬성 - 반대
옳 맞 - 틀리 잘못
죽 - 살
열 - 닫
시작 - 끝나 끝
충분 - 부족
새롭 새 - 오래되 낡
증가 - 감소
필요 - 불필요
강하 - 약하
처음 - 마지막
가깝 - 멀
비싸 - 싸 저렴
합법 - 불법
"""
"""Everyday opposites, a pair a line; what news say happened has its own list."""
_TAGS = ("VV", "VA", "NNG", "MAG", "XR", "MM", "NP")
_DENIED_BEHIND = re.compile(r"^[가-힣]{0,3}?지(?:는|도)?\s?(?:않|못|아니)")


def qualities_in(text: str, analysed: Sequence[korean.Morpheme]) -> frozenset[tuple[int, int]]:
    """Return the everyday opposites that *text* holds, as (number of the pair, side); a denied word is on the other side."""
    found = set()
    for place, morpheme in enumerate(analysed):
        known = _sides().get(morpheme.form)
        if known is None or not morpheme.tag.startswith(_TAGS) or (place and analysed[place - 1].form == "수"):
            continue
        pair, side = known
        found.add((pair, -side if _DENIED_BEHIND.match(text[morpheme.end :]) else side))
    return frozenset(found)


@cache
def _sides() -> dict[str, tuple[int, int]]:
    sides: dict[str, tuple[int, int]] = {}
    for pair, line in enumerate(_OPPOSITES.strip().splitlines()):
        for side, forms in zip((1, -1), line.split(" - "), strict=True):
            sides |= dict.fromkeys(forms.split(), (pair, side))
    return sides
