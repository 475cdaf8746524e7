"""Dates as people say them."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, time, timedelta

from search_core.language.dates import KOREA, read_date

UNDATED = "날짜 모름"
RECENT = timedelta(days=7)
CLOCK_SLACK = timedelta(days=1)
"""A date this far ahead comes from another time zone or a fast clock and still counts as just now."""

_DAY = re.compile(
    r"(?<![\d.])20\d\d ?[-./년] ?\d{1,2} ?[-./월] ?\d{1,2}(?!\d)"
    r"|\b(?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? (?P<day>\d{1,2}), (?P<year>20\d\d)\b"
)
_STEPS = (
    (timedelta(days=365), "년"),
    (timedelta(days=30), "개월"),
    (timedelta(days=1), "일"),
    (timedelta(hours=1), "시간"),
    (timedelta(minutes=1), "분"),
)


def relative_time(moment: datetime, now: datetime | None = None) -> str:
    """Return the age of *moment* at *now* (default: this moment), as in "3일 전"; for the future a date.

    Times without zone count as UTC.
    """
    age = aware(now or datetime.now(UTC)) - aware(moment)
    if age < -CLOCK_SLACK:
        return korean_date(moment)
    for step, unit in _STEPS:
        if age >= step:
            return f"{age // step}{unit} 전"
    return "방금 전"


def published(moment: datetime, now: datetime | None = None) -> str:
    """Return the age of a page published at *moment*: as ``relative_time``, but "오늘" or "어제" if only the day is known."""
    now = aware(now or datetime.now(UTC))
    if -CLOCK_SLACK <= now - aware(moment) < timedelta(days=2) and (day := _day_alone(moment)) is not None:
        days = (now.astimezone(KOREA).date() - day).days
        return ("오늘", "어제", "2일 전")[days] if days >= 0 else korean_date(moment)
    return relative_time(moment, now)


def _day_alone(moment: datetime) -> date | None:
    """Return the day of *moment* if it is midnight in Korea or UTC, as then a source stated only the day; otherwise None."""
    local = (aware(moment).astimezone(zone) for zone in (UTC, KOREA))
    return next((here.date() for here in local if here.time() == time.min), None)


def span(seconds: float) -> str:
    """Return a duration, rounded up, as ``40초``, ``2분`` or ``3시간``."""
    whole = max(1, math.ceil(seconds))
    if whole < 60:
        return f"{whole}초"
    if whole < 3600:
        return f"{math.ceil(whole / 60)}분"
    return f"{math.ceil(whole / 3600)}시간"


def is_recent(moment: datetime | None, now: datetime | None = None) -> bool:
    """Return whether *moment* lies at most 7 days before *now* (default: this moment); an unknown date is not recent."""
    if moment is None:
        return False
    age = aware(now or datetime.now(UTC)) - aware(moment)
    return -CLOCK_SLACK <= age <= RECENT


def recent_day_in(text: str, now: datetime | None = None) -> datetime | None:
    """Return the newest recent date written in *text* ("2026년 11월 18일", "Nov 18, 2026"), or None."""
    written = (
        match[0] if match["year"] is None else "{day} {month} {year} 00:00".format(**match.groupdict())
        for match in _DAY.finditer(text)
    )
    return max((day for day_text in written if (day := read_date(day_text)) is not None and is_recent(day, now)), default=None)


def korean_date(moment: datetime) -> str:
    """Return the day of *moment* in Korea, as in "2026년 11월 3일"."""
    day = day_in_korea(moment)
    return f"{day.year}년 {day.month}월 {day.day}일"


def date_text(moment: datetime | None) -> str:
    """Return the date of *moment* in Korea, or that it is unknown."""
    return korean_date(moment) if moment is not None else UNDATED


def day_in_korea(moment: datetime) -> date:
    """Return the day of *moment* in Korea; near the years 1 and 9999, where that may not exist, the day in its own zone."""
    try:
        return aware(moment).astimezone(KOREA).date()
    except OverflowError:
        return moment.date()


def aware(moment: datetime) -> datetime:
    """Return *moment* with its zone; a time without one counts as UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
