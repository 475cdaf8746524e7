from __future__ import annotations

import pytest

from search_core.claims.noun_phrases import Place, noun_phrases


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the history of the Suez Canal", [("the Suez Canal", Place.BEHIND_OF)]),
        ("an otter a mammal", [("an otter", Place.FIRST), ("a mammal", Place.BEHIND)]),
        ("glass made from sand", [("glass", Place.FIRST), ("sand", Place.BEHIND)]),
        ("you brew coffee", [("coffee", Place.BEHIND)]),
        ("Marie Curie's prizes", [("Marie Curie", Place.FIRST)]),
        ("the river's length", [("the river", Place.FIRST)]),
        ("a sailor's knot", [("a sailor's knot", Place.FIRST)]),
        ("the tulip bulbs planted daily", [("the tulip bulbs", Place.FIRST)]),
    ],
)
def test_things_are_found_by_the_words_between_them(text: str, names: list[tuple[str, Place]]):
    """Articles, prepositions, verbs and participles bound a thing, and an owner replaces its mere property."""
    things = [phrase for phrase in noun_phrases(text) if phrase.is_thing]
    assert [(phrase.name, phrase.place) for phrase in things if phrase.place is not Place.ELSEWHERE] == names


@pytest.mark.parametrize("text", ["the main advantages", "in 1998", "very slowly", "the first"])
def test_properties_and_numbers_are_no_things(text: str):
    """What names a property, a number or a manner alone is nothing that later words can mean."""
    assert not [phrase for phrase in noun_phrases(text) if phrase.is_thing]


def test_the_last_word_is_left_off_where_another_stays():
    """A phrase loses its last word, but never its only one."""
    otters, one = noun_phrases("sea otters sleep")[0], noun_phrases("otters")[0]
    assert otters.is_cut_off
    assert otters.without_last_word().name == "sea"
    assert one.without_last_word().name == "otters"
