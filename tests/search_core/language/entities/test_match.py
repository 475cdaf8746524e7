from __future__ import annotations

import pytest

from search_core.language.entities import EntityMatcher, aliases_in, translate_name


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
