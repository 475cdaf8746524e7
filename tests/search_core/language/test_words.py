"""Texts as content words."""

from __future__ import annotations

import unicodedata

from search_core.language import words
from search_core.language.words import forget_old_words, stem, words_of


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
