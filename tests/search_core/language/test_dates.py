from __future__ import annotations

from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.language.dates import KOREA, clock, clock_seconds, in_korea, read_date

DAY = "2026-11-05T00:00:00+00:00"


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-11-05", DAY),
        ("2026.11.05", DAY),
        ("2026년 11월 5일", DAY),
        ("20261105", DAY),
        ("Thu, 05 Nov 2026 00:00:00 +0000", DAY),
        (" 2026-11-05T00:00:00Z ", DAY),
        ("20240501184000", "2024-05-01T09:40:00+00:00"),
        ("20240501000000", "2024-04-30T15:00:00+00:00"),
        ("1714556400000", "2024-05-01T09:40:00+00:00"),
        ("Wed, 01 May 2024 18:40:00 KST", "2024-05-01T09:40:00+00:00"),
        ("2024-05-01 18:40:00 KST", "2024-05-01T09:40:00+00:00"),
        ("2024-05-01 18:40:00+09:00", "2024-05-01T09:40:00+00:00"),
        *((odd, None) for odd in (None, "", "어제", "2026-13-40", True, 3.5, [], "99999999", "20241301184000")),
    ],
)
def test_dates_are_read_in_their_usual_forms(written: object, moment: str | None):
    """A day and a time without signs are Korean time, counts stay counts, and KST is nine hours ahead; others are no dates."""
    found = read_date(written)
    assert (found and found.astimezone(UTC).isoformat()) == moment


@pytest.mark.parametrize(
    ("written", "language", "host", "day"),
    [
        ("2026-01-29T18:40:00", "ko", "a.com", 29),
        ("2026-01-29 18:40:00", "en", "a.co.kr", 29),
        ("2026-01-29T18:40", "en", "a.com", 30),
        ("2026-01-29T18:40:00Z", "ko", "a.co.kr", 30),
        ("2026-01-29", "ko", "a.co.kr", 29),
        ("2026-01-29T00:00:00", "ko", "a.co.kr", 29),
    ],
)
def test_a_time_without_zone_on_a_korean_page_is_korean(written: str, language: str, host: str, day: int):
    """By language or address; a zone that is written counts, and a day alone stays that day in Korea."""
    found = in_korea(read_date(written), language, host)
    assert found is not None
    assert found.astimezone(KOREA).day == day


@given(st.text(max_size=40))
def test_no_text_is_an_error(text: str):
    """Any text gives a date with a time zone or None."""
    found = read_date(text)
    assert found is None or found.tzinfo is not None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "00:00"),
        (761, "12:41"),
        (3599.9, "59:59"),
        (3600, "1:00:00"),
        (-3, "00:00"),
    ],
)
def test_hours_show_only_where_there_are_any(seconds: float, words: str):
    """Minutes never go beyond 59, and have two digits, so that a place is written alike everywhere."""
    assert clock(seconds) == words


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("0:40", 40), ("12:41", 761), ("75:00", 4500), ("1:02:07", 3727)),
        *((odd, None) for odd in ("", "41", "12:75", "[12:41]", "12:41 다음", "1:2:3:04")),
    ],
)
def test_a_place_is_read_as_seconds(text: str, seconds: int | None):
    """Minutes beyond 59 and hours count; a number alone, a second beyond 59 and words beside a place are none."""
    assert clock_seconds(text) == seconds
