"""Numbers written as Korean words: "삼백육십", "삼억 오천만", "이 점 오", "스물다섯"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_DIGITS = {letter: float(value) for value, letter in enumerate("영일이삼사오육칠팔구")}
SMALL = {"십": 10.0, "백": 100.0, "천": 1e3}
BIG = {"만": 1e4, "억": 1e8, "조": 1e12, "경": 1e16}
_DIGIT = "[일이삼사오육칠팔구]"
_BELOW_10_000 = rf"(?:{_DIGIT}?천)?(?:{_DIGIT}?백)?(?:{_DIGIT}?십)?{_DIGIT}?"
_SINO_KOREAN = re.compile(
    rf"(?<![가-힣\d])(?=[영일이삼사오육칠팔구십백천만억조])(?P<whole>(?:(?!조){_BELOW_10_000}조\s?)?(?:{_BELOW_10_000}억\s?)?"
    rf"(?:{_BELOW_10_000}만\s?)?(?:{_BELOW_10_000}|영))(?:\s?점\s?(?P<part>[영일이삼사오육칠팔구]+))?(?<!\s)"
)
_ONES = {word: float(value) for value, word in enumerate(["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉"], 1)}
_TENS = {word: 10.0 * value for value, word in enumerate(["열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"], 1)}
NATIVE = {
    **{ten + one: _TENS[ten] + _ONES[one] for ten in _TENS for one in _ONES},
    **{ten: value for ten, value in _TENS.items() if ten != "스물"},
    "스무": 20.0,
    **_ONES,
}
"""The values of native numbers as they stand before what they count, longer ones first."""


class Numeral(NamedTuple):
    """A number in Sino-Korean words."""

    start: int
    end: int
    value: float


def sino_korean(text: str) -> Iterator[Numeral]:
    """Yield the well-formed numbers in *text*; only the context tells whether one is meant ("이 명령", "사이")."""
    for match in _SINO_KOREAN.finditer(text):
        if match.end() > match.start():
            part = "".join(f"{_DIGITS[letter]:g}" for letter in match["part"] or "")
            yield Numeral(match.start(), match.end(), _whole(match["whole"]) + (float(f"0.{part}") if part else 0.0))


def _whole(written: str) -> float:
    total = group = digit = 0.0
    for letter in written:
        if letter in BIG:
            total, group, digit = total + (group + digit or 1.0) * BIG[letter], 0.0, 0.0
        elif letter in SMALL:
            group, digit = group + (digit or 1.0) * SMALL[letter], 0.0
        elif letter in _DIGITS:
            digit = _DIGITS[letter]
    return total + group + digit
