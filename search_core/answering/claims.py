"""What a sentence claims that can be looked up: its numbers and dates, its names, whether it denies, and which way things go."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

from search_core import korean
from search_core.entities import EntityMatcher, find_entities

_SCALES = MappingProxyType(
    {
        "천": 10**3,
        "만": 10**4,
        "십만": 10**5,
        "백만": 10**6,
        "천만": 10**7,
        "억": 10**8,
        "십억": 10**9,
        "백억": 10**10,
        "천억": 10**11,
        "조": 10**12,
        "thousand": 10**3,
        "million": 10**6,
        "billion": 10**9,
        "trillion": 10**12,
    }
)
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?<![A-Za-z0-9_.])(\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s?({_SCALE}))?"
    r"(?:\s?(년|월|일))?",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*\.?\s+\d", re.IGNORECASE)
_LATIN_NAME = re.compile(r"(?<![A-Za-z])(?:[A-Z][\w+#&-]*[\w+#]|[a-z]+[A-Z0-9][\w+#-]*)", re.ASCII)
_DENIES = re.compile(
    r"않|못\s?[하했할한]|없[다었어는을이고지]|아니[다었에라]|아닙|아닌|\b(?:not|no|never|none|without)\b|n't\b", re.IGNORECASE
)
_OPPOSITES = (
    (
        r"증가|상승|(?<!오)늘[었어리고며]|올[랐라]|오르|\b(?:increas|grew|grow|rose|rise|rising|gain)",
        r"감소|하락|줄[었어이고며]|떨어[졌지]|내[렸리]|\b(?:decreas|shrank|shrink|fell|fall|drop|declin)",
    ),
    (r"인상|\brais", r"인하|\bcut"),
    (r"찬성|\bsupport", r"반대|\boppos"),
    (r"성공|\bsucce", r"실패|\bfail"),
    (r"흑자|\bprofit", r"적자|\bloss"),
)
_SIDES = tuple((re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE)) for one, other in _OPPOSITES)


class Figure(NamedTuple):
    """Is one number: its value with its scale ("12만" is 120 000), its part of a date, and how it is written."""

    value: Decimal
    unit: str
    text: str


def figures(text: str) -> tuple[Figure, ...]:
    """Return the numbers of *text* in order; "3억 5천만" is one."""
    found: list[Figure] = []
    end, scale_before = 0, 1
    for match in _NUMBER.finditer(text):
        scale = _SCALES.get((match[2] or "").lower(), 1)
        value = Decimal(match[1].replace(",", "")) * scale
        gap = text[end : match.start()]
        # behind a space "64" belongs to "4만", and "3" of "5억 3" does not: units under ten thousand are written after 만
        near = not gap or (gap == " " and (scale > 1 or scale_before == _SCALES["만"]))
        goes_on = bool(found) and near and not found[-1].unit and value < scale_before
        if goes_on:
            before = found.pop()
            found.append(Figure(before.value + value, match[3] or "", f"{before.text}{gap}{match[0]}"))
        else:
            found.append(Figure(value, match[3] or "", match[0]))
        end, scale_before = match.end(), scale
    return tuple(found)


def values_in(text: str) -> frozenset[Decimal]:
    """Return the values of all numbers of *text*, and those of English months before a day."""
    months = (Decimal(_MONTHS.index(match[1].lower()) + 1) for match in _MONTH.finditer(text))
    return frozenset((*(figure.value for figure in figures(text)), *months))


def dated(figure: Figure, published: Iterable[datetime]) -> bool:
    """Tell whether *figure* is a part of one of the dates *published*."""
    parts = {"년": "year", "월": "month", "일": "day"}
    return figure.unit in parts and any(getattr(date, parts[figure.unit]) == figure.value for date in published)


def names(text: str) -> tuple[str, ...]:
    """Return the names in *text*: persons, organisations, events, and words written as names are in Latin letters."""
    found = [entity.text.strip() for entity in find_entities(text)]
    latin = [match[0] for match in _LATIN_NAME.finditer(text) if match.start() or not _is_plain_word(match[0], text)]
    latin = [name for name in latin if not any(name in other for other in found)]
    return tuple(dict.fromkeys((*found, *latin)))


def names_not_in(wanted: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return those of *wanted* that *text* names in no script; a name of one letter is not looked for."""
    folded = text.casefold()
    unsure = tuple(name for name in wanted if len(name) > 1 and not holds(folded, name.casefold()))
    held = EntityMatcher(unsure).find_in(text) if unsure else ()
    return tuple(name for name in unsure if name not in held)


def holds(text: str, word: str) -> bool:
    """Tell whether *text* holds *word*, or all of it but a particle: some unknown names are analysed together with theirs."""
    return word in text or (len(word) > 2 and korean.has_hangul(word[-1]) and word[:-1] in text)


def denies(text: str) -> bool:
    """Tell whether *text* says that something is not so."""
    return _DENIES.search(text) is not None


def opposed(claim: str, evidence: str) -> bool:
    """Tell whether the two say that things go opposite ways: one that they rise, the other that they fall."""
    return any(_only(one, other, claim) and _only(other, one, evidence) for pair in _SIDES for one, other in (pair, pair[::-1]))


def _only(one: re.Pattern[str], other: re.Pattern[str], text: str) -> bool:
    return bool(one.search(text)) and not other.search(text)


def _is_plain_word(first: str, text: str) -> bool:
    """Tell whether *first* may be an English word that is written large only because it begins the sentence."""
    return first[1:].islower() and text.isascii()
