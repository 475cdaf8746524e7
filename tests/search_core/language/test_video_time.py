"""Places in a video as readers see them."""

from __future__ import annotations

import pytest

from search_core.language.video_time import clock, clock_seconds


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "00:00"),
        (761, "12:41"),
        (3599.9, "59:59"),
        (3600, "1:00:00"),
        (-3, "00:00"),
    ],
)
def test_hours_show_only_where_there_are_any(seconds: float, words: str):
    """Minutes never go beyond 59, and have two digits, so that a place is written alike everywhere."""
    assert clock(seconds) == words


@pytest.mark.parametrize(("mark", "seconds"), [("0:40", 40), ("12:41", 761), ("75:00", 4500), ("1:02:07", 3727)])
def test_a_place_is_read_as_seconds(mark: str, seconds: int):
    """Minutes beyond 59 and hours both count."""
    assert clock_seconds(mark) == seconds


@pytest.mark.parametrize("text", ["", "41", "12:75", "[12:41]", "12:41 다음", "1:2:3:04"])
def test_what_is_no_place_is_not_read(text: str):
    """Neither a number alone, nor a second beyond 59, nor a place with words beside it."""
    assert clock_seconds(text) is None
