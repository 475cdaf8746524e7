"""What is searched for when a claim's own words find nothing."""

from __future__ import annotations

import pytest

from search_core.claims.checking.checker import second_query
from search_core.search.query import QueryConstructor


@pytest.mark.parametrize(
    ("claim", "query"),
    [
        ("2025년 한빛반도체의 매출은 12조 원입니다.", "2025년 한빛반도체의 매출은 입니다."),
        ("Hanbit employs 3,400 people in Ohio.", "Hanbit employs in Ohio."),
        ("2016년에 탐방객이 4천만 명을 넘었습니다.", "2016년에 탐방객이 넘었습니다."),
        ("12조 원.", ""),
    ],
)
def test_values_go_and_times_stay(claim: str, query: str):
    """The number is left out with its unit; where nothing else is left there is no second query."""
    assert second_query(claim, QueryConstructor()) == query


def test_a_claim_without_values_is_broadened():
    """Without a number to leave out the query has fewer words than the claim."""
    query = second_query("한빛반도체 대표이사는 김민수입니다.", QueryConstructor())
    assert "김민수" in query
    assert len(query.split()) < 4
