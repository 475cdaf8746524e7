from __future__ import annotations

import pytest

from search_core.claims.english_questions import asked_about, asks_on, is_question, people_in, topics_of


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("What is a lighthouse?", "a lighthouse"),
        ("Tell me about the Silk Road.", "the Silk Road"),
        ("I want to learn about sourdough.", "sourdough"),
        ("What are the origins of chess in India?", "chess"),
        ("What kind of whale is the largest?", "whale"),
        ("How does a compass work?", "a compass"),
        ("Do penguins fly?", "penguins"),
        ("Why is the Dead Sea salty?", "the Dead Sea"),
        ("When was the telephone invented?", "the telephone"),
        ("What is Frida Kahlo's religion?", "Frida Kahlo"),
        ("And Neptune?", "Neptune"),
        ("How do you make cheese?", ""),
        ("What are the advantages?", ""),
        ("Otters hold hands.", ""),
        ("and explain why otters hold hands", ""),
    ],
)
def test_what_a_question_asks_about(question: str, about: str):
    """The thing behind "of" or "about", or the subject of the question; what is done to something is not asked about."""
    assert asked_about(question) == about


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("How do you make cheese?", ("cheese",)),
        ("How do I fix a leaking tap in the kitchen?", ("a leaking tap", "the kitchen")),
        ("What treatments exist for asthma?", ("asthma",)),
        ("Who won the World Cup in 2018?", ("the World Cup",)),
        ("Who invented the zipper?", ("the zipper",)),
        ("What foods contain iron?", ("iron",)),
        ("What happened in the Battle of Hastings?", ("the Battle of Hastings",)),
        ("Give me information on solar panels.", ("solar panels",)),
        ("What is the difference between salt and pepper?", ("salt and pepper", "salt", "pepper")),
        ("Tell me about the piano and its inventor.", ("the piano",)),
    ],
)
def test_what_one_may_go_on_about(question: str, topics: tuple[str, ...]):
    """Besides what a question asks about, things behind prepositions, articles and the verb of "you"; of a pair each one, too."""
    assert topics_of(question) == topics


def test_asking_on_names_nothing_new():
    """A question about properties alone goes on about the same thing; one that names a thing, or a statement, does not."""
    assert asks_on("What are the main advantages?")
    assert asks_on("How does it work?")
    assert not asks_on("How do bees sleep?")
    assert not asks_on("What did Ann brew?")
    assert not asks_on("It works.")


def test_questions_and_statements():
    """A question mark or an invitation to tell makes a question; an opening word alone does not."""
    assert is_question("이 책은 언제 나왔나요?")
    assert is_question("Describe the heart.")
    assert not is_question("When you scale a square, its mass changes.")
    assert not is_question("describe how it works")


def test_long_talk_that_ends_in_a_question_is_about_nothing_plain():
    """Captions without signs run on; what they ask at their end is not what they are about."""
    assert topics_of("What is a lighthouse?")
    assert not topics_of(f"What is a lighthouse {'and so on and on ' * 12}?")


def test_people_that_a_question_names():
    """A name without an article may be a person's; the name of a country is not that of its president."""
    assert people_in("What role did Rosa Parks play?") == ("Rosa Parks",)
    assert people_in("Did Ann and Bob meet?") == ("Ann", "Bob")
    assert people_in("Who is the president of Chile?") == ()
    assert people_in("Why did the Titanic sink?") == ()
