"""Times in sentences: years, quarters, halves, months and days, with relative ones ("지난해") computed from a date."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

_DAY = re.compile(
    r"(?<![\d월.~–-])(?<!월 )(?<!주 )(?<!약 )(?<!총 )(?<!최대 )(?<!하루 )(?P<day>3[01]|[12]\d|[1-9])일"
    r"(?=[\s,.·)]|$|[은는의에과]|부터|까지|께|쯤)(?!\s?(?:동안|만에|만의|간|째|연속|이내|이상|이하|전|후|뒤|치|정도|가량|넘))"
)
"""A day without a month, as news writes it ("27일 오전")."""
_MONTHS = {name.lower()[:3]: number for number, name in enumerate(calendar.month_name) if name}
_MONTH_NAMES = "|".join(name for name in calendar.month_name if name)
_SHORT_NAMES = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
_PATTERN = re.compile(
    r"(?:(?P<year>(?:19|20)\d\d)\s?년(?!간| 동안|째)"
    r"|(?P<relative>재작년|지난해|작년|전년|올해|금년|내년|이달|지난달))?\s?"
    r"(?:(?P<quarter>[1-4])\s?분기|(?P<half>상반기|하반기)|(?P<month>1[0-2]|[1-9])\s?월(?:\s?(?P<day>[12]\d|3[01]|[1-9])\s?일)?|(?P<end>(?:(?<=년\s)|(?<=해\s))연?말(?![가-힣]{2})|(?<![가-힣])연말(?=까지|에|부터|쯤)))?",
)
_ISO = re.compile(
    r"(?<![A-Za-z\d.])(?P<year>(?:19|20)\d\d)(?P<sep>[-./]) ?(?P<month>1[0-2]|0?[1-9])"
    r"(?P=sep) ?(?P<day>3[01]|[12]\d|0?[1-9])(?!\d)"
)
_ENGLISH = re.compile(
    rf"(?:\b(?P<ahead>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?)?"
    rf"\b(?P<monthname>(?-i:{_MONTH_NAMES}|(?:{_SHORT_NAMES})(?=\.?\s\d)))\b\.?"
    r"(?:\s(?P<day>\d{1,2})(?:st|nd|rd|th)?\b(?!,\d))?(?:,?\s(?P<year>(?:19|20)\d\d)\b)?"
    r"|\b(?:Q(?P<q>[1-4])|(?P<ordinal>first|second|third|fourth)[ -]quarter"
    r"|(?P<ordinalhalf>first|second)[ -]half(?=\s(?:of\s)?(?:(?:19|20)\d\d|(?:the|this|last)\syear)))\b"
    r"(?:\s(?:of\s)?(?P<qyear>(?:19|20)\d\d))?"
    r"|\b(?P<relative>last year|this year|next year)\b"
    r"|(?<![\d,.$€£₩])(?P<bare>(?:19|20)\d\d)(?=[^가-힣]|$|(?:[은는이가을를의에도와과로]|에는|에서|부터|까지)(?![가-힣]))"
    r"(?!\d|,\d|%|\.\d|(?!s\b)[A-Za-z]"
    r"|\s(?:[만억조천원명대개건곳]|회(?!계)|달러|유로|미터|비트|바이트|퍼센트)|\s?(?:년|units|people|employees|won|dollars|met(?:er|re)s))",
    re.IGNORECASE,
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4} | {str(number): number for number in range(1, 5)}
_YEARS_AWAY = {
    "재작년": -2,
    **dict.fromkeys(("지난해", "작년", "전년", "last year"), -1),
    **dict.fromkeys(("올해", "금년", "this year"), 0),
    **dict.fromkeys(("내년", "next year"), 1),
}
_AHEAD_DAYS = 3
_AHEAD_MONTHS = 3
"""A month or quarter without a year that would be further ahead than this counts as last year's."""


@dataclass(frozen=True, slots=True)
class Period:
    """A time named in a text; its unknown parts are None."""

    year: int | None
    quarter: int | None
    half: int | None
    month: int | None
    day: int | None
    start: int
    end: int
    text: str
    reckoned: bool = False
    """True when the year is not written but follows from the day of the text."""

    @classmethod
    def of(cls, day: date) -> Period:
        """Return *day* as a named time."""
        return cls(day.year, None, None, day.month, day.day, 0, 0, day.isoformat())

    @property
    def parts(self) -> tuple[int | None, ...]:
        """Return year, quarter, half, month, day."""
        return (self.year, self.quarter, self.half, self.month, self.day)

    def same_as(self, other: Period) -> bool:
        """Return whether both can be the same time: no part differs, and both have one length or are a day and its month."""
        lengths = {self.length, other.length}
        return self.may_be(other) and (len(lengths) == 1 or "open" in lengths or lengths == {"day", "month"})

    def may_be(self, other: Period) -> bool:
        """Return whether no part differs that both times name: "2027" may be "March"."""
        return all(a is None or b is None or a == b for a, b in zip(self.parts, other.parts, strict=True))

    @property
    def length(self) -> str:
        """Return the length as a word: day, month, quarter, half, year or open."""
        names = ("day", "month", "quarter", "half", "year")
        values = (self.day, self.month, self.quarter, self.half, self.year)
        return next((name for name, value in zip(names, values, strict=True) if value is not None), "open")

    def last_day(self) -> date | None:
        """Return the last day of the time; None without a year."""
        if self.year is None:
            return None
        month = self.month or (self.quarter or 0) * 3 or (self.half or 0) * 6 or 12
        last = calendar.monthrange(self.year, month)[1]
        return date(self.year, month, min(self.day or last, last))


def periods_in(text: str, today: date | None) -> tuple[Period, ...]:
    """Return the times in *text*, in order; those without a year, and relative ones, are computed from *today*."""
    periods = [_period(m, (int(m["year"]), None, None, int(m["month"]), int(m["day"])), None) for m in _ISO.finditer(text)]
    rest = _ISO.sub(lambda match: " " * len(match.group()), text) if periods else text
    periods += [_korean(match, today) for match in _PATTERN.finditer(rest) if match.group().strip()]
    periods += [_day(match, today) for match in _DAY.finditer(rest)]
    periods += [_english(match, today) for match in _ENGLISH.finditer(rest)]
    return _with_written_years(sorted(periods, key=lambda period: period.start))


def _with_written_years(periods: Sequence[Period]) -> tuple[Period, ...]:
    """Return *periods* with years or months taken from those written before ("2027년 3월에서 9월로")."""
    dated: list[Period] = []
    written: int | None = None
    for period in periods:
        if dated and dated[-1].day and _DAY.fullmatch(period.text):  # "8월 29일과 30일"
            dated.append(replace(dated[-1], day=period.day, start=period.start, end=period.end, text=period.text))
            continue
        if period.reckoned and written is not None:
            dated.append(replace(period, year=written, reckoned=False))
            continue
        dated.append(period)
        written = period.year if not period.reckoned and period.year else written
    return tuple(dated)


def _korean(match: re.Match[str], today: date | None) -> Period:
    year = int(match["year"]) if match["year"] else None
    month = int(match["month"]) if match["month"] else 12 if match["end"] else None
    relative = match["relative"] or ("올해" if match["end"] and year is None else None)
    if relative and today:
        if relative in ("이달", "지난달"):
            year, month = month_away(today, -1 if relative == "지난달" else 0)
        else:
            year = today.year + _YEARS_AWAY[relative]
    quarter = int(match["quarter"]) if match["quarter"] else None
    half = {"상반기": 1, "하반기": 2}.get(match["half"] or "")
    return _period(match, (year, quarter, half, month, int(match["day"]) if match["day"] else None), today)


def _day(match: re.Match[str], today: date | None) -> Period:
    """Return the latest date with that day of the month that is not far after *today*."""
    day = int(match["day"])
    if today is None:
        return _period(match, (None, None, None, None, day), None)
    year, month = month_away(today, 0 if day <= today.day + _AHEAD_DAYS else -1)
    return replace(_period(match, (year, None, None, month, day), None), reckoned=True)


def _english(match: re.Match[str], today: date | None) -> Period:
    relative = (match["relative"] or "").lower()
    written = match["year"] or match["qyear"] or match["bare"]
    year = int(written) if written else None
    if relative and today:
        year = today.year + _YEARS_AWAY[relative]
    quarter = _ORDINALS.get((match["q"] or match["ordinal"] or "").lower())
    half = _ORDINALS.get((match["ordinalhalf"] or "").lower())
    month = _MONTHS.get((match["monthname"] or "").lower()[:3])
    written_day = match["day"] or match["ahead"]
    day = int(written_day) if written_day else None
    return _period(match, (year, quarter, half, month, day), today)


def _period(match: re.Match[str], parts: tuple[int | None, ...], today: date | None) -> Period:
    year, quarter, half, month, day = parts
    reckoned = year is None and today is not None
    if reckoned and today is not None:
        first = month or ((quarter or 0) * 3 - 2 if quarter else 0)
        year = today.year - 1 if first > today.month + _AHEAD_MONTHS else today.year
    lead = len(match.group()) - len(match.group().lstrip())
    return Period(year, quarter, half, month, day, match.start() + lead, match.end(), match.group().strip(), reckoned)


def month_away(today: date, months: int) -> tuple[int, int]:
    """Return the year and month that are *months* after (if negative, before) the month of *today*."""
    place = today.year * 12 + today.month - 1 + months
    return place // 12, place % 12 + 1
