"""What sentences measure, the events they report, and how certain they are, under one name for both languages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from search_core.language import data_lines
from search_core.language.korean import has_hangul
from search_core.language.words import stem


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_WEIGHED = r"루머|\brumou?r(?:s|ed)?\b|\bconsider(?:s|ing)\b"
"""Words for things considered or rumoured, which are no more than plans."""

DOUBTED = _pattern(
    _WEIGHED,
    r"[ㄹ을할될일]지(?:는|도|가|에)?\s|[는은인]지(?:는|도|를|가)?\s",
    r"여부|검토(?:하|한|되|중)|미정|확인되지\s?않|불확실|불투명|결정된 바|가능성",
    r"\b(?:whether|unclear|might|(?-i:may)|could|unconfirmed|undecided|reportedly)\b",
)
"""Words of questions, wishes and rumours, which assert nothing."""

PLANNED = _pattern(
    _WEIGHED,
    r"계획|예정|후보|추진|검토|논의|협의|신청|소문|관측|전망|예상|목표|준비하|준비\s?중|방안|기대하|희망|요청|요구|제안|발의|청원",
    r"상임위|예비|것으로 보인|것이라는|[ㄹ을할될] 것\s?(?:이|으로)",
    r"\b(?:plan(?:s|ned|ning)?|aims?|seeks?|propos(?:es|ed|al)|appl(?:y|ies|ied)|considered|hopes?|expect(?:s|ed)?"
    r"|intend(?:s|ed)?|meant to|supposed to|wants? to|negotiat\w+|in talks|prepar(?:es|ing)|forecast"
    r"|target(?:s|ed)?|nominat\w+|demands?|would|will)\b",
)
"""Words for things intended, demanded or expected that have not happened."""

_DROPPED = (
    r"취소|철회|무산|중단|백지화|폐기|포기|결렬|\b(?:cancel(?:l?ed|s)?|withdr(?:ew|awn?|aws)|scrap(?:s|ped)|abandon(?:s|ed)"
    r"|halt(?:s|ed)|called off|terminated|drop(?:s|ped) (?:the|its) plan)\b"
)
_POSTPONED = r"미루|미뤘|미뤄|연기[하했됐]|보류|유예|실패|불발|\b(?:postpon\w+|delay(?:s|ed)|fail(?:s|ed))\b"

PUT_OFF = _pattern(_DROPPED, _POSTPONED)
"""Words for what was postponed or dropped; a refusal is not among them, as it is an event of its own."""


_NOT_AFTER = re.compile(
    r"^[가-힣]{0,4}?(?:하지|되지|지|지는|지도)\s?(?:않|못|아니)|^[은는이가을를]?\s?(?:안 |못 |없)|^\S{0,3}\s(?:실패)"
)
_NOT_BEFORE = re.compile(
    r"(?:\b(?:(?:not|never|no longer|without|failed to|refused to|neither|\w+n['’]t)\s(?:\w+\s){0,2}|no\s(?:\w+\s)?)"
    r"|(?:안|못)\s)$",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:지|지는|지도)\s?(?:않|못)|아니(?:다|에요|예요|야|었|라고|며|고|죠|지)|아닙니|(?<![가-힣])(?:안|못)\s[가-힣]|없(?:다|었|습|어)"
    r"|\b(?:not|never|no longer|neither|cannot|\w+n['’]t)\b",
    re.IGNORECASE,
)
_SCOPES = {
    "korea": re.compile(r"국내|한국 시장|domestic|in (?:South )?Korea\b", re.IGNORECASE),
    "world": re.compile(r"세계|글로벌|global|worldwide", re.IGNORECASE),
    "us": re.compile(r"미국|\bUS\b|\bU\.S\.|United States|American"),
    "europe": re.compile(r"유럽|\bEurope(?:an)?\b|\bEU\b", re.IGNORECASE),
    "china": re.compile(r"중국|\bChin(?:a|ese)\b", re.IGNORECASE),
    "year": re.compile(r"연간|annual(?:ly)?\b|yearly", re.IGNORECASE),
    "mean": re.compile(r"평균|average|\bmean\b", re.IGNORECASE),
    "part": re.compile(r"부문|사업부|segment\b|division\b", re.IGNORECASE),
    "japan": re.compile(r"일본|\bJapan(?:ese)?\b", re.IGNORECASE),
}


class Happening(NamedTuple):
    """An event reported in a sentence: its axis, such as rising and falling, and its direction (1, -1, or 0 for neither)."""

    axis: str
    side: int


@cache
def _metric_words() -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the measure that each word names, and a pattern of all in lower case, the longer ones first."""
    named = {word.replace("+", " "): name for name, *words in map(str.split, data_lines("measures.txt")) for word in words}
    hangul, latin = ("|".join(sorted(filter(ours, named), key=lambda word: -len(word))) for ours in (has_hangul, str.isascii))
    return named, re.compile(rf"{hangul}|\b(?:{latin})\b".replace(" ", r"\s"))


@cache
def _event_words() -> dict[str, tuple[str, int]]:
    return {
        word: (axis, {"+": 1, "-": -1, "=": 0}[side])
        for axis, side, *words in map(str.split, data_lines("events.txt"))
        for word in words
    }


@cache
def _event_stems() -> dict[str, tuple[str, int]]:
    return {stem(word): event for word, event in _event_words().items() if word.isascii()}


def event_of(word: str) -> tuple[str, int] | None:
    """Return the axis and direction of a content word (an English one as a stem) that reports an event."""
    return _event_words().get(word) or _event_stems().get(word)


def metrics_in(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return the measures in *text*, in order: (name, start, end)."""
    named, pattern = _metric_words()
    return tuple((named[" ".join(match[0].split())], *match.span()) for match in pattern.finditer(text.lower()))


def scopes_in(text: str) -> frozenset[str]:
    """Return what restricts a value in *text*: a region, a whole year, a part of a firm."""
    return frozenset(name for name, pattern in _SCOPES.items() if pattern.search(text))


def happenings_in(text: str, stems: tuple[tuple[str, int, int], ...]) -> tuple[Happening, ...]:
    """Return the events reported in *text*; *stems* are its content words and verb stems with positions.

    A denied event has the opposite direction: "인수하지 않았다" is the opposite of "인수했다".
    """
    happenings = []
    for form, start, end in stems:
        event = _event_words().get(form)
        if event is None:
            continue
        axis, side = event
        denied = _is_denied(text, start, end)
        happenings.append(Happening(axis, -side if denied else side))
    return tuple(happenings)


def denied_in(text: str, stems: Iterable[tuple[str, int, int]]) -> frozenset[str]:
    """Return the *stems* that *text* negates wherever it mentions them ("보고되지 않았다", "no jack")."""
    denied: set[str] = set()
    asserted: set[str] = set()
    for form, start, end in stems:
        (denied if _is_denied(text, start, end) else asserted).add(form)
    return frozenset(denied - asserted)


def _is_denied(text: str, start: int, end: int) -> bool:
    return bool(_NOT_AFTER.match(text[end : end + 14]) or _NOT_BEFORE.search(text[max(0, start - 32) : start]))


def is_negated(text: str) -> bool:
    """Return whether *text* denies something."""
    return _NEGATED.search(text) is not None
