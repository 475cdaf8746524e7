"""Times in sentences are read, relative ones from the day of the text."""

from __future__ import annotations

from datetime import date

import pytest

from search_core.language.statements.periods import periods_in

TODAY = date(2026, 6, 12)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("2025년 3분기 매출", (2025, 3, None, None, None)),
        ("12월 수출", (2025, None, None, 12, None)),
        ("2027년 3월 5일에 출시", (2027, None, None, 3, 5)),
        ("지난 12일 밝혔다", (2026, None, None, 6, 12)),
        ("27일 오전에 문을 열었다", (2026, None, None, 5, 27)),
        ("7일 동안", None),
        ("하반기에 양산", (2026, None, 2, None, None)),
        ("On 5 March 2026 it", (2026, None, None, 3, 5)),
        ("in the third quarter of 2026", (2026, 3, None, None, None)),
        ("sold last year", (2025, None, None, None, None)),
        ("$2014 each", None),
    ],
)
def test_a_time_is_read(text: str, parts: tuple[int | None, ...] | None):
    """Years, quarters, halves, months and days of both languages come out alike; verbs, durations and prices are no dates."""
    assert [period.parts for period in periods_in(text, TODAY)] == ([parts] if parts else [])


@pytest.mark.parametrize("text", ["2048비트 입출력", "2000달러", "높이는 1950미터다", "2000 달러", "1950 metres tall", "2000명"])
def test_a_value_that_looks_like_a_year_is_none(text: str):
    """Four digits with a unit behind them are counted or measured."""
    assert periods_in(text, None) == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2025년", "2024년", False),
        ("2025년", "2025년 3분기", False),
        ("2025년 8월", "2025년 8월 29일", True),
        ("2025년", "2025년 8월 29일", False),
    ],
)
def test_a_year_is_not_its_quarter(one: str, other: str, same: bool):
    """Two times are one only when nothing known differs and both are of one length, or a day and its month.

    A written year reaches later months, and a written month later days.
    """
    (left,), (right,) = periods_in(one, TODAY), periods_in(other, TODAY)
    assert left.same_as(right) is same
    spread = periods_in("2027년 3월에서 9월로", TODAY)
    assert [(period.parts[0], period.parts[3]) for period in spread] == [(2027, 3), (2027, 9)]
    assert [period.parts[3:] for period in periods_in("2027년 8월 29일과 30일", TODAY)] == [(8, 29), (8, 30)]
