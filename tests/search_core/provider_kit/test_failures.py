"""How failures are said: Korean for each status, and pauses as the service asks for them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.domain import SearchStatus
from search_core.provider_kit.failures import MAX_RETRY_AFTER_S, failure, retry_after

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "pause_s"),
    [
        ("0", 0),
        ("3", 3),
        (" 120 ", 120),
        ("1.5", 1.5),
        ("Fri, 20 Nov 2026 12:00:30 GMT", 30),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 0),
        ("Fri, 20 Nov 2026 21:00:10 +0900", 10),
        ("Fri, 20 Nov 2099 12:00:30 GMT", MAX_RETRY_AFTER_S),
        ("1e9", MAX_RETRY_AFTER_S),
        ("-1", None),
        ("nan", None),
        ("inf", MAX_RETRY_AFTER_S),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_read_in_both_forms_and_capped(header: str | None, pause_s: float | None):
    """Seconds and dates are read; the pause is never negative and never longer than the cap."""
    assert retry_after(header, NOW) == pause_s


@pytest.mark.parametrize("status", [status for status in SearchStatus if not status.answered])
def test_every_failure_has_a_korean_sentence(status: SearchStatus):
    """Each status without an answer is told to the user in Korean, differently from the others."""
    error = failure(status, "English for the log.")
    assert error.korean.endswith("요.")
    assert str(error) == "English for the log."
    assert [failure(other, "").korean for other in SearchStatus if not other.answered].count(error.korean) == 1
