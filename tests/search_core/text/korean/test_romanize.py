from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.text.korean.romanize import romanize, split_syllable


@pytest.mark.parametrize(
    ("korean", "latin"),
    [
        ("신라", "silla"),
        ("독립", "dongnip"),
        ("왕십리", "wangsimni"),
        ("많이", "mani"),
        ("앉아", "anja"),
        ("묵호", "mukho"),
        ("대관령", "daegwallyeong"),
        ("좋고", "joko"),
        ("굳히다", "guchida"),
        ("여덟", "yeodeol"),
        ("압구정", "apgujeong"),
        ("젠슨 황", "jenseun hwang"),
        (unicodedata.normalize("NFD", "한"), "han"),
    ],
)
def test_romanize_official_examples(korean: str, latin: str) -> None:
    """Names come out as the rules of 2000 spell them."""
    assert latin == romanize(korean)


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet=st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), max_size=12))
def test_romanize_leaves_no_hangul(text: str) -> None:
    """Any run of syllables becomes lower-case ASCII letters; only a Hangul syllable can be split."""
    assert all("a" <= letter <= "z" for letter in romanize(text))
    with pytest.raises(ValueError, match="not a Hangul syllable"):
        split_syllable("A")
