"""The ends of sentences, Korean and English, and what only looks like one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.language.sentences import ends_sentence, sentence_spans, sentences_of, split_sentences, visible


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("매출이 늘었다. 이익은 줄었다!", ["매출이 늘었다.", "이익은 줄었다!"]),
        ("없습니다.그래서 찾았다.", ["없습니다.", "그래서 찾았다."]),
        ("“올해 양산하겠다.”고 밝혔다. 끝.", ["“올해 양산하겠다.”고 밝혔다.", "끝."]),
        ("값은 3.5%다.[2] 다음은 [1, 3]. 끝", ["값은 3.5%다.[2]", "다음은 [1, 3].", "끝"]),
        ("Dr. Kim of Foo Inc. said so. It is No. 2 now.", ["Dr. Kim of Foo Inc. said so.", "It is No. 2 now."]),
        ("The U.S. won, e.g. here. So it ended.", ["The U.S. won, e.g. here.", "So it ended."]),
        ("1. 첫째입니다. 2. 둘째입니다.", ["1. 첫째입니다.", "2. 둘째입니다."]),
        ("음… 그래요?! 네.", ["음…", "그래요?!", "네."]),
        (" \n---\n", []),
    ],
)
def test_sentences_end_at_their_signs(text: str, sentences: list[str]):
    """A sign of the end counts with what closes behind it; short forms, numbers and addresses end nothing."""
    assert split_sentences(text) == sentences


def test_spans_lose_nothing_but_white_space():
    """Not even pieces without a word; a list inside a sentence stays in one piece for whoever asks for that."""
    text = "  첫째.  --- \n\n둘째 [1]"
    assert [text[start:end] for start, end in sentence_spans(text)] == ["첫째.", "---", "둘째 [1]"]
    text = "순서: 1. 첫째 2. 둘째입니다. 끝"
    spans = sentence_spans(text, inline_lists=True)
    assert [text[start:end] for start, end in spans] == ["순서: 1. 첫째 2. 둘째입니다.", "끝"]


def test_the_first_sentences_are_bounded_and_told_once():
    """Headings, doubles and what follows the wanted number are left out; items of a list stand alone."""
    text = "목차\n매출이 늘었다. 매출이 늘었다. 개요 · 이익이  줄었다 · 주가가 올랐다."
    assert sentences_of(text, 2) == ("매출이 늘었다.", "이익이 줄었다")


@pytest.mark.parametrize(("text", "ends"), [("끝났다.", True), ("“끝!”", True), ("음…", True), ("그리고", False), ("", False)])
def test_a_text_that_closes_with_a_sign_ends_a_sentence(text: str, ends: bool):
    """Captions are joined up to such a sign."""
    assert ends_sentence(text) is ends


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
