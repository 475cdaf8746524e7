"""Times relative to a video's date, replaced by years, months and days: "올해", "지난달", "last year", "yesterday"."""

from __future__ import annotations

import re
from calendar import month_name
from datetime import date, timedelta

from search_core.language.korean.particles import join_particle
from search_core.language.statements.periods import month_away

_WORD = r"(?<![가-힣\d])"
_AFTER = r"(?=(?:에는?|에도|에만|까지는?|부터는?|보다는?|의|은|는|이|가|도|만|로|와|과|엔|이맘때|처럼|치)?(?:[\s,.?!]|$))"
_KOREAN = (
    (re.compile(rf"{_WORD}(?:재작년|지지난해){_AFTER}"), "year", -2),
    (re.compile(rf"{_WORD}(?:작년|지난해){_AFTER}"), "year", -1),
    (re.compile(rf"{_WORD}(?:올해|금년|올(?=\s(?:들어|상반기|하반기|[1-4]분기|[봄여가겨초]|1?\d월|연말))){_AFTER}"), "year", 0),
    (re.compile(rf"{_WORD}내년{_AFTER}"), "year", 1),
    (re.compile(rf"{_WORD}(?:지난\s?달){_AFTER}"), "month", -1),
    (re.compile(rf"{_WORD}(?:이번\s?달|이달){_AFTER}"), "month", 0),
    (re.compile(rf"{_WORD}(?:다음\s?달|내달){_AFTER}"), "month", 1),
    (re.compile(rf"{_WORD}어제{_AFTER}"), "day", -1),
    (re.compile(rf"{_WORD}오늘{_AFTER}"), "day", 0),
    (re.compile(rf"{_WORD}내일{_AFTER}"), "day", 1),
)
_BEFORE_TIME = r"(?P<before>\b(?:in|of|by|until|since|from|for|than|during|over|before|after|to|on|about|between)\s+)?"
_ENGLISH = re.compile(
    rf"{_BEFORE_TIME}(?<!\bthe\s)\b(?P<which>(?:last|this|next) (?:year|month)|yesterday)"
    r"(?P<owner>['’]s)?\b(?!\s+(?:or|alone\b.{0,9}or)\b)",
    re.IGNORECASE,
)
_YEARS = {"last year": -1, "this year": 0, "next year": 1}
_MONTHS_AWAY = {"last month": -1, "this month": 0, "next month": 1}


def name_times(text: str, published: date | None) -> str:
    """Return *text* with its relative times computed from *published*; unchanged without a date."""
    if published is None:
        return text
    for pattern, unit, shift in _KOREAN:
        for match in reversed(list(pattern.finditer(text))):
            named, rest = join_particle(_korean(unit, shift, published), text[match.end() :])
            text = f"{text[: match.start()]}{named}{rest}"
    return _ENGLISH.sub(lambda match: _english(match, published), text)


def _korean(unit: str, shift: int, day: date) -> str:
    """Return in Korean the year, month or day so many before or after *day*."""
    if unit == "year":
        return f"{day.year + shift}년"
    if unit == "month":
        return "{}년 {}월".format(*month_away(day, shift))
    on = day + timedelta(days=shift)
    return f"{on.year}년 {on.month}월 {on.day}일"


def _english(match: re.Match[str], day: date) -> str:
    which = match["which"].lower()
    before = match["before"] or ""
    if which == "yesterday":
        on = day - timedelta(days=1)
        named, preposition = f"{on.day} {month_name[on.month]} {on.year}", "on "
    elif which in _YEARS:
        named, preposition = str(day.year + _YEARS[which]), "in "
    else:
        year, month = month_away(day, _MONTHS_AWAY[which])
        named, preposition = f"{month_name[month]} {year}", "in "
    if match["owner"]:
        return f"{before}{named}{match['owner']}"
    if not before:
        lead = preposition if match.start() else preposition.capitalize()
        return f"{lead}{named}"
    return f"{before}{named}"
