"""Pauses as the service asks for them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.providers.kit.contract import MAX_RETRY_AFTER_S, retry_after

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "pause_s"),
    [
        ("3", 3),
        ("Fri, 20 Nov 2026 12:00:30 GMT", 30),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 0),
        ("1e9", MAX_RETRY_AFTER_S),
        ("-1", None),
        ("soon", None),
        (None, None),
    ],
)
def test_retry_after_is_read_in_both_forms_and_capped(header: str | None, pause_s: float | None):
    """Seconds and dates are read; the pause is never negative and never longer than the cap."""
    assert retry_after(header, NOW) == pause_s
