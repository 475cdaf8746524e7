from __future__ import annotations

import pytest

from search_core.entities import aliases_in, translate_name
from search_core.entities.gazetteer import fold_name, known_by_name, known_names


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("글로벌 기업 엔비디아(NVIDIA)는", (("엔비디아", "NVIDIA"),)),
        ("젠슨 황(Jensen Huang) 대표", (("젠슨 황", "Jensen Huang"),)),
        ("NVIDIA(엔비디아)와", (("엔비디아", "NVIDIA"),)),
        ("세계보건기구(WHO)", (("세계보건기구", "WHO"),)),
        ("작가 브라이언 월시(Brian Walsh)", (("브라이언 월시", "Brian Walsh"),)),
        ("가격(USD)", ()),
        ("(비어 있음)", ()),
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
        ("Jensen Huang", "젠슨 황"),
        ("SK 하이닉스", "SK hynix"),
        ("엔비디아(NVIDIA)", "NVIDIA"),
        ("홍길동전", None),
        ("", None),
    ],
)
def test_translate_name_knows_both_directions(name: str, other: str | None) -> None:
    """A known name has its usual form in the other script, an unknown one none."""
    assert other == translate_name(name)


def test_every_known_thing_has_a_name() -> None:
    """Each row of the gazetteer names something, and every name leads to a row."""
    assert all(known.korean or known.english for known in known_names())
    assert len(known_names()) > 300
    assert known_by_name()[fold_name("sk hynix")].korean == ("SK하이닉스",)
