from __future__ import annotations

from datetime import date

import pytest

from search_core.checking.claims.times import name_times


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("올해는 3퍼센트 올랐어요.", "2026년은 3퍼센트 올랐어요."),
        ("재작년 12월에 나왔습니다.", "2024년 12월에 나왔습니다."),
        ("어제 발표했습니다.", "2025년 12월 31일 발표했습니다."),
        ("Sales fell last year.", "Sales fell in 2025."),
        ("This year’s budget is larger.", "2026’s budget is larger."),
    ],
)
def test_times_are_reckoned_from_the_day_of_the_video(said: str, named: str):
    """Words that depend on the day are replaced by years, months and days, with the particle these require."""
    assert name_times(said, date(2026, 1, 1)) == named


@pytest.mark.parametrize("said", ["It grew over the last year.", "올라갔습니다."])
def test_spans_stay(said: str):
    """What is no calendar year ("the last year") stays, and without a day nothing is reckoned."""
    assert name_times(said, date(2026, 1, 1)) == said
    assert name_times("올해 3퍼센트 올랐어요.", None) == "올해 3퍼센트 올랐어요."
