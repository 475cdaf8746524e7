"""What a foreign text is, and the sentences that stand for it."""

from __future__ import annotations

import pytest

from search_core.presenting import foreign_language
from search_core.presenting.extract import MAX_QUOTE_CHARS, best_sentences

from .conftest import korean_hit


@pytest.mark.parametrize(
    ("title", "snippet", "language", "found"),
    [
        ("Nvidia", "A new chip was shown today", "", "en"),
        ("Nvidia", "Une nouvelle puce a été présentée", "fr", "fr"),
        ("日本銀行", "金利を据え置きました", "", "ja"),
        ("12 + 3", "2026", "en", ""),
        ("Nvidia GTC", "Nvidia showed new chips today. The price was not told. “두 배로 넓히겠다”고 밝혔다.", "en", "en"),
        ("NVIDIA GTC 2026 Keynote", "NVIDIA CEO Jensen Huang이 GTC 2026에서 Rubin GPU를 공개했다. HBM4를 쓴다.", "en", ""),
    ],
)
def test_the_text_decides_what_is_foreign(title: str, snippet: str, language: str, found: str):
    """The letters decide whether a text is foreign; which language it is, the service may know better."""
    assert foreign_language(korean_hit(title=title, snippet=snippet, language=language)) == found


LONG = "The committee met for the third time in a month " * 7


@pytest.mark.parametrize(
    ("snippet", "scores", "shown"),
    [
        ("One said that it will ship. Two said that it will not. Three said nothing of it.", (), "1 2"),
        ("One said that it will ship. Two said that it will not. Three said nothing of it.", (0.9, 0.1, 0.8), "1 … 3"),
        (f"One said that it will ship. {LONG}.", (), "1"),
        ("Read more. One said that it will ship. Two said that it will …", (), "1"),
    ],
)
def test_the_best_sentences_stand_for_a_text(snippet: str, scores: tuple[float, ...], shown: str):
    """The best one and the next best, where it is near to it and there is room, are quoted whole, and none that is cut off."""
    sentences = {"1": "One said that it will ship.", "2": "Two said that it will not.", "3": "Three said nothing of it."}
    assert best_sentences(snippet, scores) == " ".join(sentences.get(word, word) for word in shown.split())


def test_a_text_without_a_full_stop_is_cut():
    """A run without an end is cut within the length and says so; an empty text gives nothing."""
    assert best_sentences(LONG) == f"{LONG[: MAX_QUOTE_CHARS - 1].rstrip()}…"
    assert best_sentences("  ") == ""
