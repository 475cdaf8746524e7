from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.language.dates import KOREA, clock, clock_seconds, in_korea, read_date

DAY = datetime(2026, 11, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2026-11-05",
        "2026.11.05",
        "2026년 11월 5일",
        "20261105",
        "Thu, 05 Nov 2026 00:00:00 +0000",
        " 2026-11-05T00:00:00Z ",
    ],
)
def test_dates_are_read_in_their_usual_forms(written: object):
    """Each usual form names the same day."""
    assert read_date(written) == DAY


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("20240501184000", "2024-05-01T09:40:00+00:00"),
        ("20240501000000", "2024-04-30T15:00:00+00:00"),
        ("1714556400000", "2024-05-01T09:40:00+00:00"),
        ("20241301184000", None),
        ("Wed, 01 May 2024 18:40:00 KST", "2024-05-01T09:40:00+00:00"),
        ("2024-05-01 18:40:00 KST", "2024-05-01T09:40:00+00:00"),
        ("2024-05-01 18:40:00+09:00", "2024-05-01T09:40:00+00:00"),
    ],
)
def test_times_of_digits_and_with_names_of_zones_are_read(written: object, moment: str | None):
    """A day and a time in Korean or without signs are Korean time, counts stay counts, and KST and JST are nine hours ahead."""
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


@pytest.mark.parametrize("written", [None, "", "어제", "2026-13-40", True, 3.5, [], "99999999"])
def test_what_is_no_date_is_none(written: object):
    """Anything else is no date and no error."""
    assert read_date(written) is None


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


@pytest.mark.parametrize(("mark", "seconds"), [("0:40", 40), ("12:41", 761), ("75:00", 4500), ("1:02:07", 3727)])
def test_a_place_is_read_as_seconds(mark: str, seconds: int):
    """Minutes beyond 59 and hours both count."""
    assert clock_seconds(mark) == seconds


@pytest.mark.parametrize("text", ["", "41", "12:75", "[12:41]", "12:41 다음", "1:2:3:04"])
def test_what_is_no_place_is_not_read(text: str):
    """Neither a number alone, nor a second beyond 59, nor a place with words beside it."""
    assert clock_seconds(text) is None
