"""Numbers in Korean words."""

from __future__ import annotations

import pytest

from search_core.language.statements.units import NATIVE, sino_korean


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("삼백육십", [360]),
        ("삼억 오천만", [350_000_000]),
        ("이 점 오", [2.5]),
        ("영점영삼", [0.03]),
        ("팔십 개 가운데 오십", [80, 50]),
        ("조사", []),
    ],
)
def test_numbers_in_words_have_their_value(text: str, values: list[float]):
    """Tens, thousands and decimals add up; what is no number gives none."""
    assert [number.value for number in sino_korean(text)] == pytest.approx(values)


def test_native_numbers_reach_to_ninety_nine():
    """Tens and ones stand together, with the short form of twenty."""
    assert (NATIVE["열두"], NATIVE["스무"], NATIVE["아흔아홉"]) == (12, 20, 99)
