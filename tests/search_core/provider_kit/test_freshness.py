"""How old a fresh result may be."""

from __future__ import annotations

from datetime import UTC, datetime

from search_core.provider_kit.freshness import since


def test_ages_are_counted_back_from_now():
    """A month is 31 days and a year 366, so that neither is ever too short."""
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert since("day", now) == datetime(2026, 11, 20, 12, tzinfo=UTC)
    assert since("week", now) == datetime(2026, 11, 14, 12, tzinfo=UTC)
    assert since("month", now) == datetime(2026, 10, 21, 12, tzinfo=UTC)
    assert since("year", now) == datetime(2025, 11, 20, 12, tzinfo=UTC)
