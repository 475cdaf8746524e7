"""Dates in the formats of services, documents and records, and clock times in a video, in one format everywhere."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

_MAX_CHARS = 64
KOREA = timezone(timedelta(hours=9), "KST")
"""The time zone of our readers; Korea has no summer time."""
_UNZONED = timezone(timedelta(0), "unzoned")
"""Marks a time written without a zone; it counts as UTC, unless ``in_korea`` finds that the page is Korean."""
_ZONES = {"KST": KOREA, "JST": KOREA, "HKT": timezone(timedelta(hours=8)), "SGT": timezone(timedelta(hours=8))}
"""Zone names that RFC 2822 lacks; names with several zones are left out."""
_ZONE_NAME = re.compile(rf"\(?\b({'|'.join(_ZONES)})\b\)?$")
_WRITTEN = re.compile(r"(\d{4})\s*[-./년]\s*(\d{1,2})\s*[-./월]\s*(\d{1,2})(?!\d)[.일]?")
_DAY_DIGITS = 8
_TIME_DIGITS = (12, 14)
_MILLISECONDS_FROM = 100_000_000_000
"""Counts from here on are milliseconds: as seconds this would be the year 5138."""
_EARLIEST_COUNTED = datetime(1990, 1, 1, tzinfo=UTC)
"""Earliest date read from a count of seconds; smaller numbers are years, zeros and other things."""


def read_date(value: object) -> datetime | None:
    """Return *value* as a time with a zone, or None.

    Reads ISO 8601 (any number of fractional digits), RFC 2822, YYYYMMDD, 2026/11/3, 2026. 11. 3., 2026년 11월 3일, Unix seconds
    or milliseconds, and dates of Python; a time without zone counts as UTC until ``in_korea`` says otherwise. A day and a time in
    digits alone are Korean time, as Korean services export them.
    """
    if isinstance(value, date):
        value = value.isoformat()
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        moment = _read(value.strip()[:_MAX_CHARS] if isinstance(value, str) else f"{value:.0f}")
    except (ValueError, OverflowError, OSError):
        return None
    if moment is None or moment.tzinfo:
        return moment
    is_day = moment == moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return moment.replace(tzinfo=UTC if is_day else _UNZONED)


def in_korea(moment: datetime | None, language: str, host: str = "") -> datetime | None:
    """Return *moment* with Korea's time zone if it was written without one on a Korean page."""
    korean = language == "ko" or host.endswith(".kr")
    return moment.replace(tzinfo=KOREA) if korean and moment is not None and moment.tzinfo is _UNZONED else moment


def _read(text: str) -> datetime | None:
    if zone := _ZONE_NAME.search(text):
        moment = _read(text[: zone.start()].rstrip())
        return moment.replace(tzinfo=_ZONES[zone[1]]) if moment is not None else None
    if text.isdecimal() and len(text) in _TIME_DIGITS and text.startswith(("19", "20")):
        return datetime.strptime(text.ljust(_TIME_DIGITS[-1], "0"), "%Y%m%d%H%M%S").replace(tzinfo=KOREA)
    if text.isdecimal() and len(text) != _DAY_DIGITS:
        seconds = int(text)
        moment = datetime.fromtimestamp(seconds / 1000 if seconds >= _MILLISECONDS_FROM else seconds, UTC)
        return moment if moment >= _EARLIEST_COUNTED else None
    for read in (datetime.fromisoformat, _read_parts, parsedate_to_datetime):
        try:
            return read(text)
        except (ValueError, TypeError):  # another format
            continue
    return None


def _read_parts(text: str) -> datetime:
    if (parts := _WRITTEN.match(text)) is None:
        raise ValueError("no year, month and day")
    return datetime(int(parts[1]), int(parts[2]), int(parts[3]))  # noqa: DTZ001 - the reader says which zone


CLOCK = r"(?:\d{1,2}:)?\d{1,3}:[0-5]\d"
"""Pattern of a place in a video as people and models write it: ``5:45``, ``75:20``, ``1:02:07``."""
_CLOCK_TIME = re.compile(CLOCK)


def clock(seconds: float) -> str:
    """Return a time in a video as ``mm:ss``, or ``h:mm:ss`` from an hour on."""
    hours, rest = divmod(max(0, int(seconds)), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes:02}:{left:02}"


def clock_seconds(text: str) -> float | None:
    """Return the seconds of *text*, a clock time in a video and nothing else; None for other text."""
    if not _CLOCK_TIME.fullmatch(text.strip()):
        return None
    seconds = 0
    for part in text.split(":"):
        seconds = seconds * 60 + int(part)
    return float(seconds)
