from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.entities import EntityKind, find_entities

PERSON, ORGANIZATION, EVENT = EntityKind.PERSON, EntityKind.ORGANIZATION, EntityKind.EVENT


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("젠슨 황이 발표했다", "젠슨 황", PERSON),
        ("김하늘 기자가 전합니다", "김하늘", PERSON),
        ("박 전 대표는 말을 아꼈다", "박", PERSON),
        ("남궁민이 새 드라마에 나온다", "남궁민", PERSON),
        ("수전 라이스가 말했다", "수전 라이스", PERSON),
        ("한빛연구소는 문을 열었다", "한빛연구소", ORGANIZATION),
        ("서울 송파경찰서가 조사한다", "서울 송파경찰서", ORGANIZATION),
        ("SK하이닉스의 실적", "SK하이닉스", ORGANIZATION),
        ("GTC 2026에서 보았다", "GTC 2026", EVENT),
        ("WWDC24 정리", "WWDC24", EVENT),
        ("제12회 한강 영화제가 열린다", "제12회 한강 영화제", EVENT),
        ("We met Emily Carter.", "Emily Carter", PERSON),
        ("She left Blue River Technologies.", "Blue River Technologies", ORGANIZATION),
        ("Dr. Wen Hollis spoke", "Wen Hollis", PERSON),
        ("리벨칩 최고경영자는 누구야?", "리벨칩", ORGANIZATION),
        ("리벨칩 대표 최민준", "리벨칩", ORGANIZATION),
        ("루멘브릿지 대표이사는 이도현입니다", "루멘브릿지", ORGANIZATION),
        ("Numa Robotics CEO는 누구?", "Numa Robotics", ORGANIZATION),
        ("젠슨 황 대표는 누구?", "젠슨 황", PERSON),
        ("최민준 대표는 누구인가요?", "최민준", PERSON),
        ("머스크 CEO가 트윗했다", "머스크", PERSON),
        ("Tim Cook CEO는 누구?", "Tim Cook", PERSON),
    ],
)
def test_find_entities_by_cue_or_list(text: str, name: str, kind: EntityKind) -> None:
    """A name has its kind by title, ending, shape or fame; an unknown one whose head is asked for is a company."""
    assert (name, kind) in {(entity.text, entity.kind) for entity in find_entities(text)}


@pytest.mark.parametrize("text", ["", "   ", "😀", "\ud800", "한국은행\udfff 총재", "\x00", "((((", "A" * 5000, "가" * 3000])
def test_find_entities_of_odd_text(text: str) -> None:
    """Nothing makes it fail, and what is found stands where it says."""
    assert all(text[e.start : e.end] == e.text for e in find_entities(text))


def test_find_entities_in_plain_text_finds_none() -> None:
    """Everyday words are no names."""
    for text in ("오늘은 날씨가 맑다", "메타버스와 암호", "It rains a lot.", "가격이 오르면 수요가 준다"):
        assert find_entities(text) == ()


def test_find_entities_in_40_000_characters() -> None:
    """A long transcript is read whole in bounded time."""
    text = "김하늘 기자는 한국은행 앞에서 말했다. 이어서 Emily Carter 씨를 만났다. " * 1000
    began = time.perf_counter()
    found = find_entities(text)
    assert len(text) > 40_000
    assert sum(e.text == "한국은행" for e in found) == 1000
    assert time.perf_counter() - began < 30


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=8),
            st.sampled_from(["삼성전자", "김하늘 기자", "GTC 2026", "University", "Jensen Huang", " ", "의 "]),
        ),
        max_size=8,
    )
)
def test_found_names_stand_where_they_say_and_do_not_overlap(pieces: list[str]) -> None:
    """Every name equals its slice of the text, in order, and no two overlap."""
    text = "".join(pieces)
    found = find_entities(text)
    assert all(text[e.start : e.end] == e.text and e.text.strip() for e in found)
    assert all(left.end <= right.start for left, right in pairwise(found))
