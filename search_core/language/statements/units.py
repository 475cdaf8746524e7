"""Numbers written as words, and units of measure with their dimension and size, Korean and English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from search_core.language import data_lines, word_set

_DIGITS = {letter: float(value) for value, letter in enumerate("영일이삼사오육칠팔구")}
SMALL = {"십": 10.0, "백": 100.0, "천": 1e3}
BIG = {"만": 1e4, "억": 1e8, "조": 1e12, "경": 1e16}
_DIGIT = "[일이삼사오육칠팔구]"
_BELOW_10_000 = rf"(?:{_DIGIT}?천)?(?:{_DIGIT}?백)?(?:{_DIGIT}?십)?{_DIGIT}?"
_SINO_KOREAN = re.compile(
    rf"(?<![가-힣\d])(?=[영일이삼사오육칠팔구십백천만억조])(?P<whole>(?:(?!조){_BELOW_10_000}조\s?)?(?:{_BELOW_10_000}억\s?)?"
    rf"(?:{_BELOW_10_000}만\s?)?(?:{_BELOW_10_000}|영))(?:\s?점\s?(?P<part>[영일이삼사오육칠팔구]+))?(?<!\s)"
)
_NATIVE_ONES = {
    word: float(value) for value, word in enumerate(["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉"], 1)
}
_NATIVE_TENS = {
    word: 10.0 * value for value, word in enumerate(["열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"], 1)
}
NATIVE = {
    **{ten + one: _NATIVE_TENS[ten] + _NATIVE_ONES[one] for ten in _NATIVE_TENS for one in _NATIVE_ONES},
    **{ten: value for ten, value in _NATIVE_TENS.items() if ten != "스물"},
    "스무": 20.0,
    **_NATIVE_ONES,
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


NATIVE_ALONE = {"하나": 1, "둘": 2, "셋": 3, "넷": 4, **{word: value for word, value in NATIVE.items() if 4 < value < 10}}
"""Native numbers in the form without a counted noun."""
_ONES = "one two three four five six seven eight nine ten"
ENGLISH_NUMBERS = {word: value for value, word in enumerate(_ONES.split(), 1)} | {"twelve": 12, "twenty": 20}
_TEENS = ("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ENGLISH_PARTS = {word: float(value) for value, word in enumerate(_ORDINALS[2:], 3)} | {"quarter": 4.0}
"""Names of fractions with their denominators ("two thirds")."""
SPELT = {
    **{word: float(value) for word, value in ENGLISH_NUMBERS.items()},
    **{word: float(value) for value, word in enumerate(_TEENS, 11)},
    **{word: 10.0 * value for value, word in enumerate(_TENS, 3)},
    **{word: float(value) for value, word in enumerate(_ORDINALS, 1)},
    **dict.fromkeys(("once", "single"), 1.0),
    **dict.fromkeys(("twice", "double", "doubling", "pair", "couple"), 2.0),
    **dict.fromkeys(("triple", "tripling"), 3.0),
    "half": 0.5,
}
"""Numbers as English words that need no unit behind them."""
MULTIPLIED = {
    **{f"{word}fold": float(value) for word, value in ENGLISH_NUMBERS.items()},
    **dict.fromkeys(("doubled", "doubles", "twice"), 2.0),
    "tripled": 3.0,
    "quadrupled": 4.0,
    "halved": 0.5,
}
_BELOW_20 = {word: float(value) for value, word in enumerate((*_ONES.split(), *_TEENS), 1)}
_BELOW_100 = {"twenty": 20.0, **{word: 10.0 * value for value, word in enumerate(_TENS[:-1], 3)}}
CURRENCY_SIGNS = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "₩": "won"}
ENGLISH_BIG = {
    **dict.fromkeys(("thousand", "k"), 1e3),
    **dict.fromkeys(("million", "mn", "m"), 1e6),
    **dict.fromkeys(("billion", "bn", "b"), 1e9),
    **dict.fromkeys(("trillion", "tn", "t"), 1e12),
}
"""English names of large numbers; a single letter counts only right after the number, as "m" is also a metre."""
_ENGLISH_DIGITS = "|".join(_ONES.split()[:9])
_ENGLISH_TENS = rf"(?:(?:{'|'.join(_BELOW_100)})(?:[\s-](?:{_ENGLISH_DIGITS}))?|{'|'.join(_TEENS)}|{_ENGLISH_DIGITS}|ten)"
_ENGLISH_GROUP = (
    rf"(?:(?:(?:{_ENGLISH_DIGITS}|a)\shundred(?:\s(?:and\s)?{_ENGLISH_TENS})?|{_ENGLISH_TENS})"
    rf"(?:\sand\sa\shalf|\spoint(?:\s(?:zero|{_ENGLISH_DIGITS}))+)?)"
)
_ENGLISH_BIG_WORD = r"(?:\s(?:thousand|million|billion|trillion))"
_ENGLISH = re.compile(
    rf"\b{_ENGLISH_GROUP}(?:{_ENGLISH_BIG_WORD}(?:\s(?:and\s)?{_ENGLISH_GROUP}{_ENGLISH_BIG_WORD}?)?)?\b", re.IGNORECASE
)


def english(text: str) -> Iterator[Numeral]:
    """Yield the numbers that *text* writes in English words ("one and a half million", "seventy two")."""
    for match in _ENGLISH.finditer(text):
        total = group = 0.0
        place = 0  # of the next digit behind the point
        for word in match.group().lower().replace("-", " ").split():
            if word == "hundred":
                group = (group or 1.0) * 100.0
            elif word in ENGLISH_BIG:
                total, group, place = total + group * ENGLISH_BIG[word], 0.0, 0
            elif word in ("half", "point"):
                group, place = group + 0.5 * (word == "half"), 1
            elif place:
                group, place = group + _BELOW_20.get(word, 0.0) / 10.0**place, place + 1
            else:
                group += _BELOW_20.get(word) or _BELOW_100.get(word, 0.0)
        yield Numeral(match.start(), match.end(), total + group)


COUNTS = word_set(
    "plain person item place case occasion order rank floor generation score votes kind share head home ship work win loss"
    " machine sheet pair"
)
"""Dimensions that are counted, not measured; two sentences often count the same things by different words."""


@cache
def unit_sizes() -> dict[str, tuple[str, float]]:
    """Return the dimension of each unit, in lower case, and its size in that dimension's common unit."""
    sizes: dict[str, tuple[str, float]] = {}
    for line in data_lines("units.txt"):
        dimension, size, *forms = line.split()
        for form in forms:
            sizes[form.replace("_", " ")] = (dimension, float(size))
    return sizes


@cache
def unit_pattern() -> re.Pattern[str]:
    """Return a pattern for a unit after a number, with up to two words in between."""
    forms = sorted(unit_sizes(), key=len, reverse=True)
    hangul = "|".join(re.escape(form) for form in forms if re.search(r"[가-힣%℃²㎡°]", form))
    latin = "|".join(re.escape(form) for form in forms if not re.search(r"[가-힣%℃²㎡°]", form))
    return re.compile(rf"\s?(?:(?P<hangul>{hangul})|(?P<latin>{latin})(?![A-Za-z/]))", re.IGNORECASE)


@cache
def counted_pattern() -> re.Pattern[str]:
    """Return a pattern for an English counted noun with up to two words before it ("41,300 Atlas 3 units")."""
    counted = "|".join(form for form, (kind, _) in unit_sizes().items() if kind in ("person", "item", "place") and form.isascii())
    return re.compile(rf"\s(?:[A-Za-z0-9-]+\s){{0,2}}?(?P<latin>{counted})\b", re.IGNORECASE)
