"""What is marked where a sentence of the web differs from one of the video."""

from __future__ import annotations

import pytest

from search_core.checking.verdicts.difference import differing_parts, shared_values


@pytest.mark.parametrize(
    ("said", "found", "marked"),
    [
        ("점유율은 36.8퍼센트입니다.", "SNE리서치는 2023년 점유율을 36.8%로 집계했다.", ([], [])),
        ("매출은 12조 원입니다.", "한빛의 지난해 매출액은 9조 8천억원으로 집계됐다고 한다.", (["12조 원"], ["9조 8천억원"])),
        ("2024년에 나왔습니다.", "첫 표준은 2013년 10월 발표됐다.", (["2024년"], ["2013년 10월"])),
        ("삼성전자가 처음 만들었습니다.", "SK하이닉스가 처음 만들었다.", (["삼성전자가"], ["SK하이닉스가"])),
        ("설악산은 높은 산입니다.", "설악산은 높은 산이다.", ([], [])),
        ("대역폭이 두 배로 늘었습니다.", "전력은 그대로이고 폭만 넓어졌다고 회사는 설명했다.", ([], [])),
        ("", "12조 원", ([], [])),
    ],
)
def test_values_and_the_odd_word_are_marked(said: str, found: str, marked: tuple[list[str], list[str]]):
    """An equal value in another unit, another ending and a sentence in quite other words are no difference."""
    mine, theirs = differing_parts(said, found)
    assert ([said[start:end] for start, end in mine], [found[start:end] for start, end in theirs]) == marked


@pytest.mark.parametrize(
    ("said", "found", "shared"),
    [
        ("점유율은 36.8퍼센트, 값은 5달러입니다.", "SNE리서치는 36.8%로 집계했다.", (["36.8퍼센트"], ["36.8%"])),
        ("매출은 12조 원입니다.", "매출은 9조 원이다.", ([], [])),
        ("설악산은 높은 산입니다.", "설악산은 높은 산이다.", ([], [])),
    ],
)
def test_equal_values_are_found_on_both_sides(said: str, found: str, shared: tuple[list[str], list[str]]):
    """Whatever the unit they are written in; a value that the other side lacks is left out."""
    mine, theirs = shared_values(said, found)
    assert ([said[start:end] for start, end in mine], [found[start:end] for start, end in theirs]) == shared
