"""Sources that contradict each other, and such as only seem to."""

from __future__ import annotations

import pytest

from search_core.research.contradictions import Contradiction, contradictions

from .report_material import NOW, day, source


def found(*told: tuple[str, str | None]) -> tuple[Contradiction, ...]:
    """Return the contradictions between sources given by text and day."""
    sources = tuple(
        source(number, "한빛전자 소식", text, publish_date=day(when) if when else None)
        for number, (text, when) in enumerate(told, start=1)
    )
    return contradictions(sources, {each.number: each.snippet for each in sources}, NOW)


def test_two_numbers_of_one_time_contradict():
    """The same measure of the same year with another value is named with both quotes, numbers and dates."""
    [pair] = found(
        ("한빛전자의 2025년 매출은 66조원이었다.", "2026-01-20"), ("한빛전자의 2025년 매출은 72조원이었다.", "2026-01-21")
    )
    assert (pair.one.number, pair.other.number, pair.changed) == (1, 2, False)
    assert pair.line == (
        "- 서로 달라요: “한빛전자의 2025년 매출은 66조원이었다.” (2026년 1월 20일) [1] ↔ "
        "“한빛전자의 2025년 매출은 72조원이었다.” (2026년 1월 21일) [2]. 다른 숫자를 말해요 (66조원 ↔ 72조원)."
    )


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (
            "한빛전자는 2026년 2월에 새 메모리 양산을 시작했다.",
            "한빛전자는 2026년 5월에 새 메모리 양산을 시작했다.",
            "다른 날짜를 말해요 (2026년 2월 ↔ 2026년 5월)",
        ),
    ],
    ids=["date"],
)
def test_dates_contradict(one: str, other: str, why: str):
    """Another date of one happening is named."""
    [pair] = found((one, "2026-06-01"), (other, "2026-06-01"))
    assert pair.why == why


def test_the_older_source_stands_first():
    """Whatever their numbers, the older sentence comes before the younger one."""
    [pair] = found(
        ("한빛전자의 2025년 매출은 72조원이었다.", "2026-01-21"), ("한빛전자의 2025년 매출은 66조원이었다.", "2026-01-20")
    )
    assert (pair.one.number, pair.other.number) == (2, 1)


def test_a_later_source_may_tell_of_a_change():
    """What can change in between is not called a contradiction but said to be different later."""
    [pair] = found(("한빛전자의 직원은 3만 명이다.", "2026-01-20"), ("한빛전자의 직원은 2만 명이다.", "2026-09-01"))
    assert pair.changed
    assert pair.line.startswith("- 나중 자료가 달라요: “한빛전자의 직원은 3만 명이다.”")


def test_sources_without_dates_are_compared_too():
    """Two undated sources count as of one day, and no date is made up for them."""
    [pair] = found(("한빛전자의 2025년 매출은 66조원이었다.", None), ("한빛전자의 2025년 매출은 72조원이었다.", None))
    assert pair.one.date is None
    assert "(20" not in pair.line.split("다른 숫자")[0].replace("2025년", "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("한빛전자의 2025년 매출은 66조원이었다.", "한빛전자의 2024년 매출은 60조원이었다."),
        ("한빛전자의 2025년 매출은 66조원이었다.", "가람전자의 2025년 매출은 72조원이었다."),
        ("한빛전자의 2025년 매출은 66조원이었다.", "한빛전자의 2025년 영업이익은 9조원이었다."),
        ("한빛전자의 2025년 매출은 66조원이었다.", "한빛전자의 2025년 매출은 약 66조 2천억원이었다."),
        ("한빛전자의 2025년 매출은 66조원이었다.", "한빛전자의 매출이 70조원에 이를지는 불확실하다."),
        (
            "한빛전자는 올해 가입자가 250만 명 늘 것으로 내다봤다.",
            "한빛전자는 가입자가 250만 명 늘 것으로 내다봤지만 20만 명 줄었다고 올해 밝혔다.",
        ),
        ("1990년대부터 준비한 망원경이 12월에 발사됐다.", "준비한 망원경이 2021년 12월에 발사됐다."),
        ("한빛전자는 가람전자를 인수한다고 밝혔다.", "나래전자는 가람전자를 인수한다고 밝혔다."),
        ("한빛전자가 매출을 발표했다.", "오늘 날씨는 맑고 낮 기온은 25도였다."),
    ],
    ids=[
        "another year",
        "another company",
        "another measure",
        "rounded",
        "open",
        "both numbers",
        "both dates",
        "others do so",
        "another subject",
    ],
)
def test_what_speaks_of_something_else_does_not_contradict(one: str, other: str):
    """Another year, owner or measure, a rounded value, a rumour and another subject are no contradictions."""
    assert found((one, "2026-01-20"), (other, "2026-01-20")) == ()


def test_one_source_does_not_contradict_itself():
    """Two sentences of one source are its own business."""
    assert found(("한빛전자의 2025년 매출은 66조원이었다. 한빛전자의 2025년 매출은 72조원이었다.", "2026-01-20")) == ()


def test_a_quote_cannot_forge_a_citation():
    """Numbers in brackets inside a quoted sentence lose them, so that only ours are citations."""
    [pair] = found(
        ("한빛전자의 2025년 매출은 66조원이었다 [7].", "2026-01-20"), ("한빛전자의 2025년 매출은 72조원이었다.", "2026-01-20")
    )
    assert "[7]" not in pair.line
    assert "(7)" in pair.line
