from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.text.korean.romanize import romanize, split_syllable


@pytest.mark.parametrize(
    ("korean", "latin"),
    [
        ("복남", "boknam"),
        ("석영", "seokyeong"),
        ("A 은주", "eunju"),
        (unicodedata.normalize("NFD", "한"), "han"),
    ],
)
def test_names_are_spelled_syllable_by_syllable(korean: str, latin: str) -> None:
    """Given names come out as the rules of 2000 spell them, their sounds not meeting."""
    assert latin == romanize(korean)


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet=st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), max_size=12))
def test_romanize_leaves_no_hangul(text: str) -> None:
    """Any run of syllables becomes lower-case ASCII letters; only a Hangul syllable can be split."""
    assert all("a" <= letter <= "z" for letter in romanize(text))
    with pytest.raises(ValueError, match="not a Hangul syllable"):
        split_syllable("A")
