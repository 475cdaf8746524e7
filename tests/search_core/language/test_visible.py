"""What cannot be seen goes, what can be seen stays."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.language.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("한\u200b글\ufeff", "한글"),
        ("a\u202eb\u2066c", "abc"),
        ("tag\U000e0041s", "tags"),
        ("a\r\nb\rc\td\u00a0e", "a\nb\nc d e"),
        ("a\x00\x1bb\ud800", "ab"),
        ("👨\u200d👩", "👨\u200d👩"),
        ("x\u200dy", "xy"),
    ],
)
def test_only_what_can_be_seen_stays(text: str, shown: str):
    """Zero-width signs, fillers, direction marks and controls go; lines, emoji and letters typed alone stay."""
    assert visible(text) == shown


@given(st.text())
def test_nothing_hidden_is_left(text: str):
    """No control, format sign or lone surrogate is left, but for lines and joiners."""
    assert {unicodedata.category(char) for char in visible(text) if char not in "\n\u200d"}.isdisjoint({"Cc", "Cf", "Cs"})
