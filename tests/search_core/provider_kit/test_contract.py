"""How old a fresh result may be."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.provider_kit import Freshness, SearchRequest

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("freshness", "earliest"),
    [
        ("day", datetime(2026, 11, 20, 12, tzinfo=UTC)),
        ("week", datetime(2026, 11, 14, 12, tzinfo=UTC)),
        ("month", datetime(2026, 10, 21, 12, tzinfo=UTC)),
        ("year", datetime(2025, 11, 20, 12, tzinfo=UTC)),
        (None, None),
    ],
)
def test_ages_are_counted_back_from_now(freshness: Freshness | None, earliest: datetime | None):
    """A month is 31 days and a year 366, so that neither is ever too short."""
    assert SearchRequest(query="x", freshness=freshness).earliest(NOW) == earliest
