"""Phrases of a question that count, order or compare: "석 달", "10분의 1", "세 번째로 큰", "가장 많이 판".

Kiwi's tags find them; lists hold only numerals that stand before a noun, and the two adverbs of the highest degree.
"""

from __future__ import annotations

from collections.abc import Sequence

from search_core.korean.morphemes import Morpheme, conjugate
from search_core.korean.wordlist import words

_NUMERALS = words(
    "한 두 세 네 서 너 석 넉 다섯 여섯 일곱 여덟 아홉 열 스무 한두 두세 서너 두어 너댓 네댓 대여섯 예닐곱 첫 수 수십 수백 수천"
)
_ONE = ("한", "첫")
_ONCE = ("번", "가지", "분", "마디")
"""After "한" these ask ("한 번 알려 줘"); other numerals count them."""
_NOUNS = ("NNG", "NNP", "SL", "XR")
_MOST = ("가장", "제일")
_PLACES = ("째", "다음")
_BOUNDS = words("전 뒤 후 이상 이하 미만 초과 이내 안")
_SUFFIXES = ("XSN", "NNB")
_LONGEST = 8
"""Morphemes of one phrase; more are a clause."""


def quantity_end(analysed: Sequence[Morpheme], index: int) -> int:
    """Return where the number with its counter that begins at *index* ends ("두 달 전", "1만 도", "10분의 1"), or *index*.

    Digits with a counter written to them are a noun of their own, and end at *index* here.
    """
    first = analysed[index]
    if first.tag not in ("MM", "NR", "SN") or first.form == "몇" or (first.tag == "MM" and first.form not in _NUMERALS):
        return index
    end = index + 1
    while end < len(analysed) and _continues_number(analysed[end - 1], analysed[end]):
        end += 1
    if _tags(analysed, end, 3) == ["XSN", "JKG", "SN"] and analysed[end].form == "분":
        return end + 3
    if not _counts(analysed, index, end):
        ordinal = first.form.endswith("째")
        alone = end - index == 1 and (first.tag != "MM" or first.form in _ONE or _tags(analysed, end, 1) != ["NNG"])
        return index if first.tag == "SN" or (alone and not ordinal) else end
    end += 1
    while end < len(analysed) and analysed[end].start == analysed[end - 1].end and analysed[end].tag in _SUFFIXES:
        end += 1
    if end < len(analysed) and analysed[end].form in _BOUNDS and analysed[end].tag in ("NNG", "NNB"):
        return end + 1
    return end


def _counts(analysed: Sequence[Morpheme], index: int, end: int) -> bool:
    """Return whether the noun at *end* is what the number ``analysed[index:end]`` counts."""
    if end >= len(analysed):
        return False
    first, counter = analysed[index], analysed[end]
    if counter.tag == "NNB":
        spaced = counter.start > analysed[end - 1].end
        return spaced if first.tag == "SN" else first.form != "한" or counter.form not in _ONCE
    if counter.tag != "NNG" or first.tag == "SN":
        return False
    after = analysed[end + 1] if end + 1 < len(analysed) else None
    if first.form in _ONE:
        return first.form == "한" and after is not None and after.form in ("에", "당", "만", "동안")
    return after is None or after.tag not in _NOUNS or after.form in _BOUNDS


def _continues_number(before: Morpheme, here: Morpheme) -> bool:
    """Return whether *here* goes on with the number that *before* is part of: 스물세, 1만, "수십 조"."""
    if here.start == before.end:
        return here.tag in ("NR", "MM", "SN")
    return here.tag == before.tag == "NR"


def degree_phrase(text: str, analysed: Sequence[Morpheme], index: int) -> tuple[str, int] | None:
    """Return the superlative that begins at *index* as a query writes it, and where it ends: "가장 큰", "두 번째로 높은".

    One that closes the question gets the form before a noun: "제일 비싸?" is searched for as "제일 비싼".
    """
    adverb = analysed[index].tag == "MAG" and analysed[index].form in _MOST
    begin = index + 1 if adverb else _ordinal_end(analysed, index)
    if begin == index:
        return None
    end = begin
    while end < min(len(analysed), begin + _LONGEST):
        here = analysed[end]
        if here.tag in ("JKS", "JKO") and analysed[end - 1].tag == "NNG":
            end += 1
            continue
        if here.tag == "ETM":
            return text[analysed[index].start : here.end], end + 1
        if here.tag in ("EF", "EP"):
            return _before_noun(text, analysed, index, end)
        if here.tag.startswith(("V", "XS", "MA", "XR")) or here.tag in ("EC", "NNG"):
            end += 1
            continue
        break
    if adverb and begin < len(analysed) and analysed[begin].tag in ("NNG", "XR"):
        return text[analysed[index].start : analysed[begin].end], begin + 1
    return None


def _ordinal_end(analysed: Sequence[Morpheme], index: int) -> int:
    """Return where "세 번째로" or "둘째로" ends that begins at *index*, or *index*."""
    whole = analysed[index].tag in ("NR", "NNG") and analysed[index].form.endswith(_PLACES)
    end = index + 1 if whole else quantity_end(analysed, index)
    if end == index or not analysed[end - 1].form.endswith(_PLACES):
        return index
    return end + 1 if _tags(analysed, end, 1) == ["JKB"] and analysed[end].form in ("로", "으로") else index


def _before_noun(text: str, analysed: Sequence[Morpheme], index: int, end: int) -> tuple[str, int] | None:
    """Return the phrase with its last predicate, whose ending begins at *end*, in the form before a noun."""
    stem = end - 1
    while stem > index and analysed[stem].tag.startswith("XS"):
        stem -= 1
    past = analysed[end].tag == "EP" or analysed[end - 1].tag.startswith(("VA", "XSA"))
    written = conjugate(analysed[stem:end], "은" if past else "는", "ETM")
    after = end + 1
    while after < len(analysed) and analysed[after].tag in ("EP", "EF"):
        after += 1
    return f"{text[analysed[index].start : analysed[stem].start]}{written}", after


def _tags(analysed: Sequence[Morpheme], start: int, count: int) -> list[str]:
    return [m.tag for m in analysed[start : start + count]]
