from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.language.entities import EntityKind, EntityMatcher, aliases_in, find_entities, translate_name

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


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("SK하이닉스", "SK 하이닉스가 올랐다", True),
        ("엔비디아", "NVIDIA's new chip", True),
        ("젠슨 황", "Jensen Huang said", True),
        ("젠슨 황", "젠슨황은", True),
        ("메타", "메타는 공개했다", True),
        ("샘 올트먼", "샘 알트만은", True),
        ("메타", "메타버스 시장", False),
        ("Arm", "arms and legs", False),
        ("애플", "an apple a day", False),
        ("김", "김치가 맛있다", False),
        ("", "무엇이든", False),
    ],
)
def test_name_is_found_in_any_dress(name: str, text: str, found: bool):
    """A name is found in other spacing, case or script and with particles after it; inside another word it is none."""
    assert EntityMatcher([name]).find_in(text) == ((name,) if found else ())


def test_given_aliases_hold_in_both_directions() -> None:
    """A pair given, or written into a name, makes either form find the name."""
    given = EntityMatcher(["맥락연구소"], aliases=[("맥락연구소", "Context Institute")])
    written = EntityMatcher(["맥락연구소(Context Institute)"])
    assert given.find_in("The Context Institute said") == ("맥락연구소",)
    assert written.find_in("맥락연구소는") == ("맥락연구소(Context Institute)",)


def test_names_come_as_given_in_the_order_given() -> None:
    """The answer keeps the order and the spelling of the names, each once, and odd texts hold none."""
    assert EntityMatcher(["테슬라", "NVIDIA", "테슬라"]).find_in("엔비디아와 Tesla") == ("테슬라", "NVIDIA")
    for text in ("", "\ud800", "\x00", "😀", "(((", "a" * 10_000, "가" * 10_000):
        assert EntityMatcher(["젠슨 황", "NVIDIA", "C++"]).find_in(text) == ()


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("젠슨 황(Jensen Huang) 대표", (("젠슨 황", "Jensen Huang"),)),
        ("NVIDIA(엔비디아)와", (("엔비디아", "NVIDIA"),)),
        ("작가 브라이언 월시(Brian Walsh)", (("브라이언 월시", "Brian Walsh"),)),
        ("가격(USD)", ()),
        ("", ()),
    ],
)
def test_aliases_in_brackets(text: str, pairs: tuple[tuple[str, str], ...]) -> None:
    """A name and its other form in brackets are a pair, without the words before the name."""
    assert pairs == aliases_in(text)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("엔비디아", "NVIDIA"),
        ("nvidia", "엔비디아"),
        ("SK 하이닉스", "SK hynix"),
        ("엔비디아(NVIDIA)", "NVIDIA"),
        ("", None),
    ],
)
def test_translate_name_knows_both_directions(name: str, other: str | None) -> None:
    """A known name has its usual form in the other script, an unknown one none."""
    assert other == translate_name(name)
