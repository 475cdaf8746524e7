"""Dates as people say them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from search_core.search.presenting.dates import is_recent, korean_date, published, recent_day_in, relative_time

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("age", "said"),
    [
        (timedelta(seconds=59), "방금 전"),
        (timedelta(days=3, hours=5), "3일 전"),
        (timedelta(days=30), "1개월 전"),
        (-timedelta(hours=2), "방금 전"),
        (-(datetime(2026, 12, 24, tzinfo=UTC) - NOW), "2026년 12월 24일"),
    ],
)
def test_ages_are_said_in_the_largest_unit(age: timedelta, said: str):
    """An age is given in its largest whole unit; what lies more than a day ahead is a date."""
    assert relative_time(NOW - age, NOW) == said


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (datetime(2026, 11, 19, 15, 5, tzinfo=UTC), "오늘"),  # five past midnight in Korea
        (datetime(2026, 11, 20, 14, 55, tzinfo=UTC), "오늘"),
        (datetime(2026, 11, 20, 15, 5, tzinfo=UTC), "어제"),
        (datetime(2026, 11, 21, 15, 5, tzinfo=UTC), "2일 전"),
        (datetime(2026, 11, 19, 14, 55, tzinfo=UTC), "2026년 11월 20일"),
    ],
)
def test_a_day_without_a_time_has_no_hours(now: datetime, said: str):
    """What a service or a page dates by its day alone is of today until midnight in Korea, and not hours old."""
    for midnight in (datetime(2026, 11, 20, tzinfo=UTC), datetime(2026, 11, 19, 15, 0, tzinfo=UTC)):
        assert published(midnight, now) == said


def test_days_are_those_of_korea_and_a_week_is_recent():
    """A late evening in London is the next day in Korea; no zone is UTC; the first and last dates break nothing."""
    assert korean_date(datetime(2026, 11, 3, 22, 0, tzinfo=UTC)) == "2026년 11월 4일"
    assert korean_date(datetime(2026, 11, 3)) == "2026년 11월 3일"  # noqa: DTZ001
    assert korean_date(datetime(2026, 11, 4, 2, 0, tzinfo=timezone(timedelta(hours=9)))) == "2026년 11월 4일"
    assert is_recent(NOW - timedelta(days=7), NOW)
    assert not any(is_recent(moment, NOW) for moment in (NOW - timedelta(days=7, seconds=1), NOW + timedelta(days=2), None))
    for moment in (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)):
        assert relative_time(moment, NOW)
        assert korean_date(moment).endswith("일")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026년 11월 18일 이천에서 열렸다. 2026-11-14에는 없었다.", 18),
        ("Updated Nov. 19, 2026 by staff", 19),
        ("2026. 11. 14. 기사", 14),
        ("2026년 11월 12일, 2025-11-18, 3.2026.11.18, 2026년 13월 40일", None),
    ],
)
def test_a_recent_day_in_a_text_is_known(text: str, day: int | None):
    """The newest of the last seven days is found, in Korean, in figures and in English; older days and figures are none."""
    found = recent_day_in(text, NOW)
    assert (found and found.day) == day
