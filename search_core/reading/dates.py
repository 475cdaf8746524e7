"""Dates as documents write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

_WRITTEN = re.compile(r"(\d{4})\s*[-./년]\s*(\d{1,2})\s*[-./월]\s*(\d{1,2})")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")


def read_date(value: Any) -> datetime | None:
    """Return *value* as a point in time with a time zone, or None when it is none.

    Reads ISO 8601, RFC 2822, YYYYMMDD, 2026.11.20 and 2026년 11월 20일; a time without zone counts as UTC.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        return None
    found = _iso(value.strip()) or _parts(value.strip()) or _mail(value.strip())
    return found if found is None or found.tzinfo else found.replace(tzinfo=UTC)


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _parts(text: str) -> datetime | None:
    match = _WRITTEN.match(text) or _COMPACT.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) for part in match.groups())
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None


def _mail(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
