"""A long text in windows: a mean over many sentences says little about each, so the nearest stretch is what counts."""

from __future__ import annotations

from math import ceil

WINDOW_CHARS = 400
"""As long as snippets get."""
SPOKEN_WINDOW_CHARS = 150
"""Two or three spoken sentences. Korean questions on English talks, one of the first six passages: .80 and .85 (lectures, web) in
windows of 300, .84 and .93 in windows of 150."""
READ_CHARS = 1600
"""What stands further down is judged by its words alone: each window costs as much as another result."""


def windows_of(text: str, size: int = WINDOW_CHARS) -> list[str]:
    """Return the beginning of *text* in windows of about equal length, at most about *size*, words whole.

    A text without words is one window.
    """
    words = text.split()
    length = min(READ_CHARS, sum(map(len, words)) + len(words))
    most = ceil(length / size) or 1
    limit = length / most
    windows: list[str] = []
    held: list[str] = []
    chars = 0
    for word in words:
        if held and chars + len(word) / 2 > limit:
            windows.append(" ".join(held))
            if len(windows) == most:
                return windows
            held, chars = [], 0
        held.append(word)
        chars += len(word) + 1
    if held:
        windows.append(" ".join(held))
    return windows or [text]
