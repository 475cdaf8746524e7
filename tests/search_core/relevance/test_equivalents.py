"""The same word in the other script."""

from __future__ import annotations

from search_core.relevance.equivalents import equivalents
from search_core.relevance.words import words_of


def found(question, text):
    asked = words_of([question])[0]
    forms = equivalents(asked, words_of([text])[0])
    return {asked[number].form: names for number, names in forms.items()}


def test_everyday_words_are_known_in_both_scripts():
    """The glossary knows 비용 as cost; words it does not find in the text are left out."""
    assert found("비용 튤립", "The cost was high") == {"비용": {"cost"}}


def test_english_questions_find_korean_words():
    """The glossary works in both directions, and so does the sound."""
    assert found("virus cost", "바이러스 비용") == {"virus": {"바이러스"}, "cost": {"비용"}}


def test_one_script_alone_has_no_equivalents():
    """Korean asked, Korean found: nothing to bridge."""
    assert found("비용", "비용과 경비") == {}
