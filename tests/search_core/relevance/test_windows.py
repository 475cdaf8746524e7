"""Long texts in windows."""

from __future__ import annotations

from search_core.relevance.windows import READ_CHARS, windows_of


def test_a_short_text_is_one_window():
    """A snippet stays whole, its white space made even."""
    assert windows_of("한 줄\n두 줄", 20) == ["한 줄 두 줄"]


def test_a_longer_text_is_cut_into_equal_windows():
    """Six words of four letters and a space are 30 letters: two windows of at most 20, three words in each."""
    assert windows_of("aaaa bbbb cccc dddd eeee ffff", 20) == ["aaaa bbbb cccc", "dddd eeee ffff"]


def test_only_the_beginning_is_read():
    """A book is read as far as a long snippet goes, and every window but the last is about full."""
    windows = windows_of("말씀 " * 4000, 400)
    assert len(windows) == 4
    assert all(395 < len(window) < 405 for window in windows)
    assert sum(map(len, windows)) < READ_CHARS + 10


def test_a_text_without_words_is_one_window():
    """Embedders give it a row of zeros."""
    assert windows_of(" \n", 20) == [" \n"]


def test_a_word_without_end_stays_whole():
    """Encoded data is no reason to fail."""
    assert windows_of("a" * 5000, 400) == ["a" * 5000]
