from __future__ import annotations

import pytest

from search_core.claims.pointing import pointing_words, put_name, put_year


@pytest.mark.parametrize(
    "sentence",
    ["They made it to the coast.", "How often should I do it?", "It sounds like rain.", "It turns out nobody knew."],
)
def test_fixed_phrases_point_at_nothing_that_has_a_name(sentence: str):
    """What one does, or how it sounds, is called "it", and that points at no name that could be put."""
    assert not [reference for reference in pointing_words(sentence) if reference.text.casefold() == "it"]


def test_two_joined_pronouns_point_at_no_name():
    """Two pronouns joined by "or" mean any person."""
    assert pointing_words("Nobody knows whether he or she won.") == []


def test_it_that_works_points():
    """The subject of "work" is what was named."""
    assert [reference.text for reference in pointing_words("How does it work?")] == ["it"]


def test_a_name_that_begins_small_keeps_its_form():
    """A sentence begins with a capital, but for a name with a capital inside."""
    sentence = "It ships in autumn."
    [reference] = pointing_words(sentence)
    assert put_name(sentence, reference, "iOS 11") == "iOS 11 ships in autumn."
    assert put_name(sentence, reference, "a kayak") == "A kayak ships in autumn."


def test_a_sentence_without_a_year_to_put_stays():
    """Nothing changes, not even the first letter, where no word points at a year."""
    assert put_year("kbs 뉴스입니다.", 2020) == "kbs 뉴스입니다."
