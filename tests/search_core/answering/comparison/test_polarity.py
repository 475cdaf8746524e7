"""Denials and everyday opposites make a contradiction only where a sentence holds the whole statement."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.answering.comparison import compare
from search_core.domain import SearchResult, Stance, Statement, VideoContext

NOW = datetime(2026, 6, 12, tzinfo=UTC)


def stances(said: str, found: str) -> list[Stance]:
    source = SearchResult(title="", url="https://news.example/1", snippet=found, source="news.example", publish_date=NOW)
    return [row.stance for row in compare([Statement(0.0, 5.0, said)], [source], VideoContext(published_at=NOW), NOW).rows]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("마을 우물은 지금도 물이 깨끗합니다.", "마을 우물은 지금도 물이 깨끗하지 않다."),
        ("이 두 버섯은 같은 종입니다.", "이 두 버섯은 다른 종이다."),
        ("새 극장은 좌석이 많습니다.", "새 극장은 좌석이 적다."),
        ("숲길에 표지판이 없습니다.", "숲길에 표지판이 있다."),
    ],
)
def test_the_opposite_of_the_whole_statement_contradicts_it(said, found):
    """A "not" or an opposite word beside the same words is a contradiction at one time."""
    assert stances(said, found) == [Stance.CONTRADICTS]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("마을 우물은 지금도 물이 깨끗합니다.", "마을 우물은 비가 오면 물이 깨끗하지 않다."),
        ("마을 우물은 모두 물이 깨끗합니다.", "마을 우물은 모두 물이 깨끗하지 않다."),
        ("마을 우물은 물이 깨끗합니다.", "마을 우물은 물이 깨끗하지 않을 가능성이 있다."),
    ],
)
def test_a_condition_a_part_or_a_doubt_is_no_contradiction(said, found):
    """What holds under a condition, of some, or perhaps denies nothing for certain."""
    assert Stance.CONTRADICTS not in stances(said, found)


@pytest.mark.parametrize("said", ["감사합니다, 여러분.", "영수증을 꼭 챙겨 주세요.", "우물 사진을 확인하십시오."])
def test_greetings_and_requests_are_held_against_nothing(said):
    """Without a statement there is no row, were the page to use the same words."""
    assert stances(said, said.replace(".", "")) == []
