"""Exclusions in a question: "3분기 말고 4분기는?", "CATL과 BYD를 뺀", "battery makers other than CATL".

Queries leave the excluded words out. No service is asked to hide pages with them ("-CATL"), because a page that compares the
other things mostly names the excluded one, too (docs/decisions/0039).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from search_core.language.korean.morphemes import Morpheme, has_hangul, morphemes

_MARKERS = {
    "말": ("고",), "빼": ("고", "면", "ᆫ"), "제외": ("하",), "아니": ("라", "고", "ᆫ"), "이외": ("에", "의"),
}  # fmt: skip
"""Excluding words, with the patterns of what follows."""
_EXCLUDED = ("고", "면", "ᆫ")
"""Endings of 제외하 that exclude; "제외했다" only reports."""
_DONE = ("되", "었", "고")
"""After a topic: "원전은 됐고"."""
_ENGLISH = re.compile(
    r"\b(?:other than|(?:every|any)(?:thing|one) but|all but|except(?: for)?|excluding|besides|apart from|aside from"
    r"|not counting)\s+(?:the\s+)?(?P<other>[\w&.+-]*\w(?:\s+(?:and\s+)?[A-Z0-9][\w&+-]*)*)"
    r"|\bnot\s+(?:the\s+)?(?P<rest>\w+),?\s+(?=but\b|just\b|only\b)",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"^\S+(?:\s+(?:and\s+)?[A-Z0-9]\S*)*")


class Exclusion(NamedTuple):
    """One excluded thing; ``text[start:end]`` is the thing with the words that exclude it."""

    word: str
    start: int
    end: int


def exclusions(text: str) -> tuple[Exclusion, ...]:
    """Return what *text* excludes, in order."""
    if not has_hangul(text):
        return tuple(map(_english, _ENGLISH.finditer(text)))
    analysed = morphemes(text)
    return tuple(
        Exclusion(text[start:end], start, analysed[index + (analysed[index].form != "외")].end)
        for index in range(1, len(analysed))
        if _excludes(analysed, index)
        for start, end in reversed(_words_before(text, analysed, index))
    )


def _english(match: re.Match[str]) -> Exclusion:
    group = "other" if match["other"] else "rest"
    named = _CAPITALS.match(match[group])  # the expression minds no case; of further words only names belong to the first
    word = named[0] if named else match[group]
    return Exclusion(word, match.start(), match.start(group) + len(word))


def _excludes(analysed: Sequence[Morpheme], index: int) -> bool:
    here = analysed[index]
    after, further = (analysed[index + step] if index + step < len(analysed) else None for step in (1, 2))
    if (here.form, here.tag) == ("외", "NNB"):
        return True
    if tuple(m.form for m in analysed[index : index + 3]) == _DONE:
        return analysed[index - 1].form in ("은", "는") and analysed[index - 1].tag == "JX"
    if here.tag.startswith(("MM", "J")) or after is None or after.form not in _MARKERS.get(here.form, ()):
        return False
    if here.form == "제외":
        return further is not None and further.form in _EXCLUDED
    return here.form != "빼" or not _takes_off(analysed, index, further)


def _takes_off(analysed: Sequence[Morpheme], index: int, further: Morpheme | None) -> bool:
    """Return whether 빼 at *index* means to remove, lose or draw, as in "살 빼고 싶은데" and "거품을 뺀 가격"."""
    before = next((morpheme for morpheme in reversed(analysed[:index]) if not morpheme.tag.startswith("J")), analysed[0])
    common = before.tag == "NNG" and (len(before.form) == 1 or analysed[index + 1].form == "ᆫ")
    return common or (further is not None and further.tag == "VX")


def _words_before(text: str, analysed: Sequence[Morpheme], index: int) -> list[tuple[int, int]]:
    """Return the places of the words that the word at *index* excludes: the last before it, and those joined to it by "and"."""
    spans: list[tuple[int, int]] = []
    last = index - 1
    while last >= 0:
        while last >= 0 and analysed[last].tag.startswith("J"):
            last -= 1
        if last < 0 or analysed[last].tag.startswith("E"):  # "걱정하지 말고" excludes nothing
            break
        words = _run(analysed, last)
        if not spans:
            words = _contrasted(text, analysed, words, index)
        spans.append((analysed[words[0][0]].start, analysed[words[-1][1]].end))
        last = words[0][0] - 1
        if last < 0 or not (analysed[last].tag in ("JC", "SP") or analysed[last].form in ("하고", "랑", "이랑", "와", "과")):
            break
    return spans


_NAME = "NNP"
Word = tuple[int, int]
"""The first and the last morpheme of a spaced word, without its particles."""


def _run(analysed: Sequence[Morpheme], last: int) -> list[Word]:
    """Return the words up to *last* that directly follow each other, without particles."""
    words: list[Word] = []
    end = last
    for place in range(last, -1, -1):
        here = analysed[place]
        if here.tag.startswith(("J", "E", "SP", "SF", "MAG")):
            break
        if place == 0 or analysed[place - 1].end < here.start:
            words.insert(0, (place, end))
            end = place - 1
        elif analysed[place - 1].tag.startswith(("J", "E", "SP", "SF")):
            words.insert(0, (place, end))
    return words or [(last, last)]


def _contrasted(text: str, analysed: Sequence[Morpheme], words: list[Word], index: int) -> list[Word]:
    """Return which of *words* before an exclusion are excluded, judging by the words after it.

    "3분기" of "삼성전자 3분기 말고 4분기", "작년 실적" of "작년 실적 말고 올해 전망", "서울" of "서울 아파트 말고 경기도 아파트".
    """

    def written(word: Word) -> str:
        return text[analysed[word[0]].start : analysed[word[1]].end]

    instead: list[Word] = []
    for place in range(index + 2, len(analysed)):
        here = analysed[place]
        if here.tag.startswith(("N", "S", "X", "MM")) and here.tag not in ("SF", "SP", "NP"):
            glued = instead and instead[-1][1] == place - 1 and analysed[place - 1].end == here.start
            instead[-1:] = [(instead[-1][0], place)] if glued else [*instead[-1:], (place, place)]
        elif not here.tag.startswith("J") or (instead and analysed[place - 1].end < here.start):
            break
    different = [word for word in words if written(word) not in map(written, instead)]
    if len(different) < len(words):
        return different or words[-1:]
    first, last, other = (_kind(analysed, word) for word in (words[0], words[-1], *(instead[:1] or words[-1:])))
    like_first = other == first and (last != first or first == _NAME)
    like_last = other == last != first
    return words if like_first or (len(instead) >= len(words) and not like_last) else words[-1:]


def _kind(analysed: Sequence[Morpheme], word: Word) -> str:
    """Return the kind of a word: a name, a number with its unit, or other."""
    return {"NNP": _NAME, "SL": _NAME, "SN": "SN", "NR": "SN", "MM": "SN"}.get(analysed[word[0]].tag, "")
