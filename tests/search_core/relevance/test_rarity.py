"""How telling a word is."""

from __future__ import annotations

from search_core.relevance.rarity import rarity
from search_core.relevance.words import words_of


def of(text):
    return rarity(words_of([text])[0][0])


def test_frequent_words_tell_less_than_rare_ones():
    """사람 (person) is everywhere, 결석 is rarer, a word of the trade rarer still."""
    assert of("사람") < of("은행") < of("콜레스테롤") <= 1


def test_english_function_words_tell_nothing():
    """Function words weigh least, everyday words little, other words much."""
    assert of("the") == 0.05
    assert of("the") < of("company") < of("bandwidth")


def test_unknown_names_are_telling_and_numbers_less_so():
    """A name Kiwi has not in its model counts like a rare noun, digits less."""
    assert of("엔비디아") > of("사람")
    assert of("2026") < of("엔비디아")
