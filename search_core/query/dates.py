"""Years that a question about news leaves unsaid."""

from __future__ import annotations

import re
from datetime import datetime

_HAS_YEAR = re.compile(r"(?:19|20)\d\d")
_RELATIVE: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"재작년|the year before last", re.IGNORECASE), -2),
    (re.compile(r"작년|지난해|전년|last year", re.IGNORECASE), -1),
    (re.compile(r"내년|next year", re.IGNORECASE), 1),
    (re.compile(r"올해|금년|최근|최신|요즘|this year|latest|\brecent(?:ly)?\b", re.IGNORECASE), 0),
)


def implied_year(question: str, now: datetime) -> int | None:
    """Return the year that *question* speaks of in words ("올해", "last year"), or None when it says none or writes one."""
    if _HAS_YEAR.search(question):
        return None
    for pattern, shift in _RELATIVE:
        if pattern.search(question):
            return now.year + shift
    return None
