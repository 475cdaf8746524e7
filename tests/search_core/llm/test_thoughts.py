"""Thoughts before an answer, in pieces cut anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.llm.thoughts import Thoughts


def shown(pieces: list[str]) -> str:
    thoughts = Thoughts()
    return "".join([*(thoughts.feed(piece) for piece in pieces), thoughts.rest()])


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("안녕하세요", "안녕하세요"),
        ("<think>음…</think>네, 그래요.", "네, 그래요."),
        ("\n<think>\n음…\n</think>\n\n네.", "네."),
        ("<think>하나</think><think>둘</think>네.", "네."),
        ("<think>끝이 없는 생각", ""),
        ("<thin 줄", "<thin 줄"),
        ("<th", "<th"),
        ("네. <think>는 꺾쇠예요.</think>", "네. <think>는 꺾쇠예요.</think>"),
        ("", ""),
    ],
)
def test_only_thoughts_before_the_answer_are_left_out(said: str, answer: str):
    """What stands between the marks at the beginning is no part of the answer; everything else is, letter by letter, too."""
    assert shown([said]) == answer
    assert shown(list(said)) == answer


@given(st.lists(st.sampled_from(["<", "think>", "<think>", "</think>", "</", "가", " ", "\n", ">"]), max_size=12), st.data())
def test_where_a_piece_ends_does_not_matter(parts: list[str], data: st.DataObject):
    """An answer in two pieces, cut anywhere, shows what the whole shows."""
    said = "".join(parts)
    cut = data.draw(st.integers(0, len(said)))
    assert shown([said[:cut], said[cut:]]).split() == shown([said]).split()


@given(st.text(alphabet="가 <thinkx>/"))
def test_an_answer_without_thoughts_is_left_as_it_is(said: str):
    """A text that opens no thought comes back letter for letter."""
    if not said.lstrip().startswith("<think>"):
        assert shown(list(said)) == said
