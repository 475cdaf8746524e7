"""Long texts in windows."""

from __future__ import annotations

from search_core.ranking.meaning import READ_CHARS, windows_of


def test_a_longer_text_is_cut_into_equal_windows():
    """30 letters make two windows of at most 20; a snippet, a text without words and an endless word stay one."""
    assert windows_of("aaaa bbbb cccc dddd eeee ffff", 20) == ["aaaa bbbb cccc", "dddd eeee ffff"]
    assert windows_of("한 줄\n두 줄", 20) == ["한 줄 두 줄"]
    assert windows_of(" \n", 20) == [" \n"]
    assert windows_of("a" * 5000, 400) == ["a" * 5000]


def test_only_the_beginning_is_read():
    """A book is read as far as a long snippet goes, and every window but the last is about full."""
    windows = windows_of("말씀 " * 4000, 400)
    assert len(windows) == 4
    assert all(395 < len(window) < 405 for window in windows)
    assert sum(map(len, windows)) < READ_CHARS + 10
