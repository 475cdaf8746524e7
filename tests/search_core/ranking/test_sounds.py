"""Names and loan words by their sound."""

from __future__ import annotations

import pytest

from search_core.ranking.equivalents import sounding_like, sounds_of_hangul, sounds_of_latin


@pytest.mark.parametrize(
    ("hangul", "latin"),
    [
        ("브래드포드", "bradford"),
        ("플리머스", "plymouth"),
        ("콜레스테롤", "cholesterol"),
    ],
)
def test_a_loan_word_sounds_like_its_original(hangul, latin):
    """The original is found among other words."""
    assert sounding_like(hangul, ["bread", latin, "kitchen", "orchestra"]) == [latin]


def test_only_words_of_the_script_have_sounds():
    """Digits, mixed words and the other script give no sounds; two shared consonants are too few to be alike."""
    assert sounding_like("나무", ["name", "nemo", "gnome"]) == []
    assert sounds_of_hangul("abc") == sounds_of_hangul("가a") == ""
    assert sounds_of_latin("가나다") == sounds_of_latin("a1") == ""
