"""How old a fresh result may be."""

from __future__ import annotations

from datetime import datetime, timedelta

from search_core.provider_kit.contract import Freshness

_AGES: dict[Freshness, timedelta] = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}


def since(freshness: Freshness, now: datetime) -> datetime:
    """Return the moment after which results are of the last day, week, month (31 days) or year (366 days)."""
    return now - _AGES[freshness]
