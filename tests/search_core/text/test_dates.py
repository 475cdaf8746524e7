from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.text.dates import read_date

DAY = datetime(2026, 11, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2026-11-05",
        "2026.11.05",
        "2026. 11. 5.",
        "2026년 11월 5일",
        "20261105",
        20261105,
        "2026/11/5",
        "Thu, 05 Nov 2026 00:00:00 +0000",
        " 2026-11-05T00:00:00Z ",
    ],
)
def test_dates_are_read_in_their_usual_forms(written: object):
    """Each usual form names the same day."""
    assert read_date(written) == DAY


@pytest.mark.parametrize("written", [None, "", "어제", "2026-13-40", True, 3.5, [], "99999999"])
def test_what_is_no_date_is_none(written: object):
    """Anything else is no date and no error."""
    assert read_date(written) is None


@given(st.text(max_size=40))
def test_no_text_is_an_error(text: str):
    """Any text gives a date with a time zone or None."""
    found = read_date(text)
    assert found is None or found.tzinfo is not None
