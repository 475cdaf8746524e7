"""Sources that contradict each other, and such as only seem to."""

from __future__ import annotations

import pytest

from search_core.research.contradictions import Contradiction, contradictions

from .report_material import NOW, day, source

SALES, MORE_SALES = "한빛전자의 2025년 매출은 66조원이었다.", "한빛전자의 2025년 매출은 72조원이었다."


def found(*told: tuple[str, str | None]) -> tuple[Contradiction, ...]:
    """Return the contradictions between sources given by text and day."""
    sources = tuple(
        source(number, "한빛전자 소식", text, publish_date=day(when) if when else None)
        for number, (text, when) in enumerate(told, start=1)
    )
    return contradictions(sources, {each.number: each.snippet for each in sources}, NOW)


def test_two_numbers_or_dates_contradict():
    """Another value or day of one thing is named, the older source first, with quotes whose bracketed numbers cite nothing."""
    [pair] = found((MORE_SALES.replace("이었다", "이었다 [7]"), "2026-01-21"), (SALES, "2026-01-20"))
    assert not pair.changed
    assert pair.line == (
        "- 서로 달라요: “한빛전자의 2025년 매출은 66조원이었다.” (2026년 1월 20일) [2] ↔ "
        "“한빛전자의 2025년 매출은 72조원이었다 (7).” (2026년 1월 21일) [1]. 다른 숫자를 말해요 (66조원 ↔ 72조원)."
    )
    started = "한빛전자는 2026년 {}월에 새 메모리 양산을 시작했다."
    [pair] = found((started.format(2), "2026-06-01"), (started.format(5), "2026-06-01"))
    assert pair.why == "다른 날짜를 말해요 (2026년 2월 ↔ 2026년 5월)"


def test_a_later_source_may_tell_of_a_change():
    """What can change in between is said to be different later; undated sources count as of one day, and no date is made up."""
    [pair] = found(("한빛전자의 직원은 3만 명이다.", "2026-01-20"), ("한빛전자의 직원은 2만 명이다.", "2026-09-01"))
    assert pair.changed
    assert pair.line.startswith("- 나중 자료가 달라요: “한빛전자의 직원은 3만 명이다.”")
    [pair] = found((SALES, None), (MORE_SALES, None))
    assert (pair.changed, pair.one.date) == (False, None)
    assert f"“{SALES}” [1]" in pair.line


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SALES, "한빛전자의 2024년 매출은 60조원이었다."),
        (SALES, "가람전자의 2025년 매출은 72조원이었다."),
        (SALES, "한빛전자의 매출이 70조원에 이를지는 불확실하다."),
        (
            "한빛전자는 올해 가입자가 250만 명 늘 것으로 내다봤다.",
            "한빛전자는 가입자가 250만 명 늘 것으로 내다봤지만 20만 명 줄었다고 올해 밝혔다.",
        ),
        ("1990년대부터 준비한 망원경이 12월에 발사됐다.", "준비한 망원경이 2021년 12월에 발사됐다."),
        ("한빛전자는 가람전자를 인수한다고 밝혔다.", "나래전자는 가람전자를 인수한다고 밝혔다."),
        (f"{SALES} {MORE_SALES}", "오늘 날씨는 맑고 낮 기온은 25도였다."),
    ],
    ids=["another year", "another company", "open", "both numbers", "both dates", "others do so", "one source with itself"],
)
def test_what_speaks_of_something_else_does_not_contradict(one: str, other: str):
    """Another year or owner, a rumour, a shared value, others who do so and sentences of one source are no contradictions."""
    assert found((one, "2026-01-20"), (other, "2026-01-20")) == ()
