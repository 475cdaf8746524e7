"""Names and loan words by their sound."""

from __future__ import annotations

import pytest

from search_core.ranking.equivalents import sounding_like


@pytest.mark.parametrize(
    ("hangul", "latin"),
    [
        ("브래드포드", "bradford"),
        ("플리머스", "plymouth"),
        ("콜레스테롤", "cholesterol"),
    ],
)
def test_a_loan_word_sounds_like_its_original(hangul, latin):
    """The original is found among other words, and the loan word by its original."""
    assert sounding_like(hangul, ["bread", latin, "kitchen", "orchestra"]) == [latin]
    assert sounding_like(latin, ["나무", hangul, "오케스트라"]) == [hangul]


def test_only_words_of_a_script_have_sounds():
    """Digits and mixed words give no sounds; two shared consonants are too few, and other vowels make another word."""
    assert sounding_like("나무", ["name", "nemo", "gnome"]) == []
    assert sounding_like("국장", ["question"]) == []
    assert sounding_like("브래드가a", ["bradga"]) == sounding_like("브래드포드", ["bradford1", "브래드포드1"]) == []
