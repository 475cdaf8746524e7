"""How much a word weighs by its rarity."""

from __future__ import annotations

from search_core.relevance.rarity import rarity
from search_core.relevance.words import words_of


def of(text):
    return rarity(words_of([text])[0][0])


def test_frequent_words_weigh_less_than_rare_ones():
    """사람 (person) is everywhere, terms of a trade are rare, function words weigh least, unknown names more than digits."""
    assert of("사람") < of("은행") < of("콜레스테롤") <= 1
    assert of("the") == 0.05
    assert of("the") < of("company") < of("bandwidth")
    assert of("엔비디아") > of("사람")
    assert of("2026") < of("엔비디아")
