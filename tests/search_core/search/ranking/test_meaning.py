"""How far meaning counts beside words."""

from __future__ import annotations

import pytest

from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.search.ranking.meaning import EmbeddedTexts, windows_of


def test_passages_of_one_talk_differ_by_words(letters):
    """Meaning counts for a tenth in one language and for more across; Kiwi sees some in one script and none across."""
    texts = ["짧은 글이에요.", "A short text.", "短い文です。"]
    assert EmbeddedTexts.of(texts, letters).shares("무슨 글이에요?") == [0.1, 0.6, 0.9]
    assert EmbeddedTexts.of(texts, letters).shares("どんな文ですか？") == [0.9, 0.9, 0.1]
    assert EmbeddedTexts.of(texts, KiwiEmbedder()).shares("무슨 글이에요?") == [pytest.approx(0.175), 0.0, 0.0]
    assert EmbeddedTexts.of(texts, KiwiEmbedder()).seen("무슨 글이에요?") == [True, False, False]


def test_the_nearest_window_of_a_long_text_counts(letters):
    """A text whose second half is all about the question is as near as that half."""
    long = "a " * 190 + "\n" + "b " * 190
    whole, half = EmbeddedTexts.of([long, "b " * 190], letters).to_question("b")
    assert whole == pytest.approx(half)


def test_a_longer_text_is_cut_into_equal_windows():
    """30 letters make two windows of at most 20; a snippet, a text without words and an endless word stay one."""
    assert windows_of("aaaa bbbb cccc dddd eeee ffff", 20) == ["aaaa bbbb cccc", "dddd eeee ffff"]
    assert windows_of("한 줄\n두 줄", 20) == ["한 줄 두 줄"]
    assert windows_of(" \n", 20) == [" \n"]
    assert windows_of("a" * 5000, 400) == ["a" * 5000]
