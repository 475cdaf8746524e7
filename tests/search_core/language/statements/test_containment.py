"""What of a claim another text holds, worked out by hand."""

from __future__ import annotations

import pytest

from search_core.language.statements.containment import (
    holds_figure,
    holds_period,
    names_missing,
    names_of,
    reverses,
    swaps_name,
)
from search_core.language.statements.proposition import amounts_in, read_proposition


@pytest.mark.parametrize(
    ("said", "there", "held"),
    [
        ("12%", "Profit rose 12 percent", True),
        ("12%", "12 people", False),
        ("직원 600명", "600 passengers", True),
        ("440억 달러", "$44 billion", True),
        ("13조 원", "12조 3,400억 원", False),
    ],
)
def test_an_amount_is_there_in_its_own_form(said: str, there: str, held: bool):
    """Counting words may differ and units may be left out; values, currencies and measures may not differ."""
    [figure] = amounts_in(said, None).figures
    assert holds_figure(figure, amounts_in(there, None).figures) is held


@pytest.mark.parametrize(
    ("said", "there", "held"),
    [
        ("3월 18일에", "On March 18, 2026", True),
        ("2026년 3월 18일에", "On March 18", False),
        ("1분기에", "in March 2026", True),
        ("4월 2일부터", "4월부터", False),
    ],
)
def test_a_time_is_there_with_all_its_parts(said: str, there: str, held: bool):
    """Year, quarter, month and day of a claim must be named; a month tells its quarter, and "지난해" needs nothing."""
    [period] = amounts_in(said, None).periods
    assert holds_period(period, amounts_in(there, None).periods) is held


def test_names_are_found_in_both_scripts():
    """Organisations, places and words written as names are names; the first word of a sentence and months are not for that."""
    assert set(names_of(read_proposition("삼성전자가 강릉 GTC에서 HBM4를 공개했다", None))) == {"삼성전자", "강릉", "GTC", "HBM4"}
    found = names_of(read_proposition("However the iPhone was late in March", None))
    assert "iPhone" in found
    assert not {"However", "March"} & set(found)
    assert names_of(read_proposition("통계청에 따르면 사과값이 올랐다", None)) == ()
    assert names_missing(("엔비디아", "애플"), "Nvidia showed its roadmap") == ("애플",)


@pytest.mark.parametrize(
    ("missing", "there", "exchanged"),
    [
        ("최유빈", "득점왕은 23골을 넣은 윤태성이다.", True),
        ("최유빈", "득점왕은 23골을 넣었다.", False),
        ("윤테성", "득점왕은 23골을 넣은 윤태성이다.", False),
        ("최유빈", "Yoon Taesung scored 23 goals.", False),
    ],
)
def test_a_name_is_exchanged_for_another_one(missing: str, there: str, exchanged: bool):
    """Another person in the same letters stands where the missing one should; another spelling is no other person."""
    claim = read_proposition(f"득점왕은 {missing}이에요.", None)
    assert swaps_name((missing,), claim, [read_proposition(there, None)]) is exchanged


@pytest.mark.parametrize(
    ("claim", "evidence", "otherwise"),
    [
        ("매출이 늘었다", "Revenue fell 12%", True),
        ("매출이 늘었다", "매출은 늘고 비용은 줄었다", False),
        ("가격은 정해지지 않았다", "가격은 아직 정해지지 않았다", False),
        ("부작용이 나타났다", "부작용은 나타나지 않았다", True),
        ("It has a headphone jack", "It has no headphone jack", True),
    ],
)
def test_opposites_are_seen(claim: str, evidence: str, otherwise: bool):
    """Rising is not falling and what is denied is not told, in either language; a text that says both opposes nothing."""
    assert reverses(read_proposition(claim, None), read_proposition(evidence, None)) is otherwise
