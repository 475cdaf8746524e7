from __future__ import annotations

import pytest

from search_core.claims.english_subjects import is_plural, names_several, plural_of, subject_of, without_article


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("Because Euler was blind, others wrote.", "Euler"),
        ("We've sold boats.", ""),
        ("Hey Anna is here.", "Anna"),
        ("Couldn't happen again.", ""),
        ("The Rhine has floods.", "the Rhine"),
    ],
)
def test_words_that_only_begin_a_sentence_are_no_names(sentence: str, subject: str):
    """Joining words, calls and contractions with a capital are no names; the name after them is the subject."""
    assert subject_of(sentence) == subject


def test_numbers_of_names():
    """What ends in s or joins several is many, but for names with a capital and words that end so by themselves."""
    assert [name for name in ("boats", "glass", "the Rhine", "salt and pepper", "Adams") if is_plural(name)] == [
        "boats",
        "salt and pepper",
    ]
    assert names_several("cats versus dogs")
    assert not names_several("sandstone")


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("a hedgehog", "hedgehogs"),
        ("a city", "cities"),
        ("an ox box", "ox boxes"),
        ("a boy", "boys"),
        ("a wild goose", "wild geese"),
    ],
)
def test_many_of_one_kind(one: str, many: str):
    """The many of a noun with an article lose the article."""
    assert plural_of(one) == many


def test_articles_are_left_off():
    """Only a whole article goes."""
    assert without_article("The Hague") == "Hague"
    assert without_article("anchor") == "anchor"
