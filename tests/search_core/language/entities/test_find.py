from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.language.entities import EntityKind, find_entities

PERSON, ORGANIZATION, EVENT = EntityKind.PERSON, EntityKind.ORGANIZATION, EntityKind.EVENT


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("박 전 대표는 말을 아꼈다", "박", PERSON),
        ("수전 라이스가 말했다", "수전 라이스", PERSON),
        ("서울 송파경찰서가 조사한다", "서울 송파경찰서", ORGANIZATION),
        ("제12회 한강 영화제가 열린다", "제12회 한강 영화제", EVENT),
        ("젠슨 황 대표는 누구?", "젠슨 황", PERSON),
    ],
)
def test_find_entities_by_cue_or_list(text: str, name: str, kind: EntityKind) -> None:
    """A name has its kind by title, ending, shape or fame; an unknown one whose head is asked for is a company."""
    assert (name, kind) in {(entity.text, entity.kind) for entity in find_entities(text)}


def test_what_stands_with_a_particle_of_place_is_no_person() -> None:
    """한탄강 and 이즈미 read like names of three syllables, but something is there or comes from there; 박영호 knows it."""
    text = "한탄강에는 얼음이 얼었다. 한탄강은 길다. 재두루미가 이즈미에서 왔다. 박영호는 이즈미를 안다."
    assert [entity.text for entity in find_entities(text) if entity.kind is PERSON] == ["박영호"]


def test_find_entities_in_plain_text_finds_none() -> None:
    """Everyday words are no names."""
    for text in ("오늘은 날씨가 맑다", "메타버스와 암호", "It rains a lot.", "가격이 오르면 수요가 준다", "빵집 발효종 이야기"):
        assert find_entities(text) == ()


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=8),
            st.sampled_from(["삼성전자", "김하늘 기자", "GTC 2026", "Jensen Huang", " ", "의 ", "\ud800", "(((", "A" * 5000]),
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
