from __future__ import annotations

import pytest

from search_core.language.entities import aliases_in, translate_name


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
