"""Numbers in Korean and English sentences are read with their size and unit."""

from __future__ import annotations

import pytest

from search_core.language.statements.figures import figures_in
from search_core.language.statements.proposition import read_proposition


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("매출 12조 3,400억 원", 12.34e12, "won"),
        ("오후 1시 13분에 떠났다", 73, "clock"),
        ("판매 1억2000만 대", 120_000_000, "item"),
        ("209만 6,270원", 2_096_270, "won"),
        ("worth $4.1 trillion", 4.1e12, "dollar"),
        ("두 배로 늘었다", 2, "times"),
        ("초당 2테라바이트", 2000, "byte_rate"),
        ("점유율 34퍼센트", 34, "percent"),
        ("매출이 30퍼센트 증가", 30, "percent_change"),
        ("꿀 삼백육십 킬로그램", 360, "mass"),
        ("성장률 이 점 오 퍼센트", 2.5, "percent"),
        ("오차 영점영삼 퍼센트", 0.03, "percent"),
        ("삼억 오천만 달러", 350_000_000, "dollar"),
        ("스무 명이 왔다", 20, "person"),
        ("열아홉 해 동안", 599_594_400, "duration"),
        ("톤당 만 달러입니다", 10_000, "dollar"),
        ("도면 4천500개", 4_500, "item"),
        ("한 판에 만 2천 원", 12_000, "won"),
        ("천5백만 명", 15_000_000, "person"),
        ("9경기", 9, "plain"),
        ("3경 원", 3e16, "won"),
        ("엔진 네 기를 묶는다", 4, "machine"),
        ("네 번째 발사", 4, "order"),
        ("4차 발사", 4, "order"),
        ("전력 20테라와트시", 20e9, "energy"),
        ("20 terawatt hours of power", 20e9, "energy"),
        ("one and a half percent of it", 1.5, "percent"),
        ("three point two five million users", 3_250_000, "person"),
        ("a rack of seventy two chips", 72, "plain"),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, value: float, dimension: str):
    """Size words and units of both languages come out as one value in one common unit."""
    (figure,) = figures_in(text)
    assert figure.dimension == dimension
    assert figure.low == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    [
        "이 분은 소방관입니다",
        "구 회장이 왔다",
        "사이 개가 있다",
        "몇 만 명",
        "이사 명단",
        "조사 건수",
        "만점",
        "두 기관",
        "one of the two",
    ],
)
def test_words_that_begin_like_numbers_are_none(text: str):
    """Demonstratives, surnames and words with letters of numbers measure nothing."""
    assert figures_in(text) == ()


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("12조 원", "12조 2천억 원", True),
        ("약 12조 원", "12조 5천억 원", True),
        ("34.5%", "34.1%", False),
        ("3~5%", "4%", True),
        ("between 3 and 5 percent", "4 percent", True),
        ("more than 40,000 units", "41,300 units", True),
        ("more than 40,000 units", "36,000 units", False),
    ],
)
def test_values_meet_within_what_the_words_allow(one: str, other: str, equal: bool):
    """Rounding, ranges, bounds and words like "약" widen a value; nothing else does."""
    assert figures_in(one)[0].equals(figures_in(other)[0]) is equal


@pytest.mark.parametrize(
    ("text", "sign"), [("8퍼센트 늘었다", 1), ("8% 줄었다", -1), ("rose 8%", 1), ("fell 8%", -1), ("8%다", 0)]
)
def test_a_change_has_its_direction(text: str, sign: int):
    """Rise and fall are kept apart from each other and from a level."""
    assert figures_in(text)[0].sign == sign


def test_the_value_before_a_change_is_marked():
    """Of a change only the second value still holds; "세대" is no count, and at most twelve numbers of a sentence are read."""
    for text in ("12곳에서 17곳으로 늘었다", "cut from 1,200 people to 900 people"):
        assert [figure.former for figure in figures_in(text)] == [True, False]
    assert figures_in("이전 세대보다 빠르다") == ()
    assert len(read_proposition(" ".join(f"{n}명" for n in range(1, 40)), None).figures) == 12
    over, far, short = (figures_in(text)[0] for text in ("100명 이상", "5000명", "60명"))
    assert (over.equals(far), over.allows(far), over.allows(short)) == (False, True, False)


@pytest.mark.parametrize(
    ("text", "bound", "edge"),
    [
        ("more than 40 units", 1, 1),
        ("40곳 미만", -1, -1),
        ("40곳을 넘지 않는다", -1, -1),
    ],
)
def test_a_bound_says_whether_it_holds_the_value(text: str, bound: int, edge: int):
    """Only a bound that is exceeded or not reached leaves the value itself out."""
    (figure,) = figures_in(text)
    assert (figure.bound, figure.edge) == (bound, edge)
