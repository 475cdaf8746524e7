from __future__ import annotations

from search_core.claims.person_pronouns import PersonPronouns


def test_every_pronoun_is_possible_at_first():
    """An unknown person can be a he and a she, and "it" excludes no person."""
    pronouns = PersonPronouns()
    assert pronouns.allow("Robin Lee", "he")
    assert pronouns.allow("Robin Lee", "her")
    assert pronouns.allow("Robin Lee", "it")


def test_titles_and_pronouns_tell():
    """A title before a name and the pronoun of a sentence about one person decide which pronoun can mean that person."""
    pronouns = PersonPronouns()
    pronouns.learn("Ms. Lee spoke first.", ())
    pronouns.learn("Omar Said sold his house.", ["Omar Said"])
    assert not pronouns.allow("Robin Lee", "he")
    assert pronouns.allow("Robin Lee", "she")
    assert not pronouns.allow("Omar Said", "her")
    assert "Omar Said" in pronouns
    assert "Robin Lee" not in pronouns


def test_two_people_or_two_pronouns_tell_nothing():
    """A sentence with two people or with two pronouns teaches nothing."""
    pronouns = PersonPronouns()
    pronouns.learn("Robin met Sam at her office.", ["Robin", "Sam"])
    pronouns.learn("He gave Robin her book.", ["Robin"])
    assert pronouns.allow("Robin", "he")
    assert pronouns.allow("Robin", "she")


def test_the_more_frequent_pronoun_counts():
    """One slip among several sentences does not turn a he into a she."""
    pronouns = PersonPronouns()
    for sentence in ("Sam lost his hat.", "Sam said he was tired.", "Sam asked her."):
        pronouns.learn(sentence, ["Sam"])
    assert pronouns.allow("Sam", "he")
    assert not pronouns.allow("Sam", "she")
