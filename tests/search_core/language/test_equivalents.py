"""Texts as content words, and the same word in the other script."""

from __future__ import annotations

import unicodedata

from search_core.language import words
from search_core.language.equivalents import equivalents, which_name_any
from search_core.language.words import forget_old_words, stem, words_of


def found(question, text, *, any_sense=False):
    asked = words_of([question])[0]
    forms = equivalents(asked, words_of([text])[0], any_sense=any_sense)
    return {asked[number].form: names for number, names in forms.items()}


def test_everyday_words_are_known_in_both_scripts():
    """The glossary and the sound work in both directions; one script alone needs no bridge."""
    assert found("비용 튤립", "The cost was high") == {"비용": {"cost"}}
    assert found("virus cost", "바이러스 비용") == {"virus": {"바이러스"}, "cost": {"비용"}}
    assert found("비용", "비용과 경비") == {}
    assert found("터널", "The tunnel is open") == {"터널": {"tunnel"}}  # other vowels, but a loan word that the dictionary has


def test_the_dictionary_knows_words_that_the_glossary_does_not():
    """거울 is a mirror, 쏘다 may be to launch, both ways; deciding rules see neither, and 올리다 has too many meanings."""
    assert found("거울", "The main mirror") == {}
    assert found("거울", "The main mirror", any_sense=True) == {"거울": {"mirror"}}
    assert found("쏘아", "It was launched", any_sense=True) == {"쏘": {"launch"}}
    assert found("mirrors launched", "거울을 쏘았다", any_sense=True) == {"mirror": {"거울"}, "launch": {"쏘"}}
    assert found("올리다", "They lift and give and put and improve", any_sense=True) == {}


def test_which_texts_name_a_property():
    """무게 is known as weight; of a word without a translation nothing can be told."""
    texts = words_of(["Its weight is six tons.", "Its colour is red."])
    assert which_name_any(words_of(["무게"])[0], texts) == [True, False]
    assert which_name_any(words_of(["블랙홀"])[0], texts) == [None, None]


def test_particles_endings_and_signs_are_left_out():
    """Nouns and lower-case stems remain, in order, doubles kept; decomposed Hangul and half an emoji change nothing."""
    assert [word.form for word in words_of(["은행이 은행을 샀다!"])[0]] == ["은행", "은행", "사"]
    assert [word.form for word in words_of(["Companies NVIDIA company"])[0]] == ["compani", "nvidia", "compani"]
    assert stem("Running") == "run"
    assert words_of([unicodedata.normalize("NFD", "은행")]) == words_of(["은행"])
    assert words_of(["", " … ", "은행"])[:2] == [(), ()]
    assert [word.form for word in words_of(["\ud83d 은행 \udc00"])[0]] == ["은행"]


def test_old_words_are_forgotten_when_too_many(monkeypatch):
    """The vocabulary stays bounded, and forgotten words are learnt again."""
    monkeypatch.setattr(words, "_KEPT_WORDS", 10)
    words_of([" ".join(f"word{number}" for number in range(40))])
    forget_old_words()
    assert len(words._seen) <= 10
    assert [word.form for word in words_of(["word0"])[0]] == ["word", "0"]
