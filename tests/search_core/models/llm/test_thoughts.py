"""Thoughts before an answer, in pieces cut anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.models.llm.thoughts import Thoughts, append_piece


def shown(pieces: list[str], *, unopened: bool = False) -> str:
    thoughts = Thoughts(unopened=unopened)
    said = ""
    for piece in pieces:
        said = append_piece(said, thoughts.feed(piece))
    return append_piece(said, thoughts.rest())


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("안녕하세요", "안녕하세요"),
        ("<think>음…</think>네, 그래요.", "네, 그래요."),
        ("<think>끝이 없는 생각", ""),
        ("네. <think>는 꺾쇠예요.</think>", "네. <think>는 꺾쇠예요.</think>"),
        ("", ""),
        ("발췌 [1]에 300만 원이 있다.\n</think>\n\n300만 원이에요. [01:09]", "300만 원이에요. [01:09]"),
        ("[THINK]질문은 액수다.[/THINK]300만 원이에요 [1].", "300만 원이에요 [1]."),
        ("◁think▷음◁/think▷네.", "네."),
        ("<|channel|>analysis<|message|>음<|end|><|start|>assistant<|channel|>final<|message|>네.<|return|>", "네."),
        ("네.<|im_end|>", "네."),
        ("a < b, [1]과 <b>", "a < b, [1]과 <b>"),
    ],
)
def test_thoughts_are_left_out_and_marks_end_an_answer(said: str, answer: str):
    """What stands before the end of a thought is no part of the answer, nor is anything from a template's mark on."""
    assert shown([said]) == answer
    assert shown(list(said)) == answer


def test_thoughts_known_to_be_unopened_are_held_back():
    """Nothing is shown before they end; where none come after all, the whole answer is shown at its end."""
    thoughts = Thoughts(unopened=True)
    assert [thoughts.feed(piece) for piece in ("음…", "</thi", "nk>네.")] == ["", "", "네."]
    assert shown(["네."], unopened=True) == "네."


@given(st.lists(st.sampled_from(["<", "think>", "<think>", "</think>", "</", "가", " ", "\n", ">"]), max_size=12), st.data())
def test_where_a_piece_ends_does_not_matter(parts: list[str], data: st.DataObject):
    """An answer in two pieces, cut anywhere, shows what the whole shows."""
    said = "".join(parts)
    cut = data.draw(st.integers(0, len(said)))
    assert shown([said[:cut], said[cut:]]).split() == shown([said]).split()


@given(st.text(alphabet="가 <thinkx>/"))
def test_an_answer_without_thoughts_is_left_as_it_is(said: str):
    """A text that opens and closes no thought comes back letter for letter."""
    if "think>" not in said:
        assert shown(list(said)) == said
