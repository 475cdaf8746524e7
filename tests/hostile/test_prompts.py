"""What others wrote holds no mark of a chat template when a language model reads it, and no element when a reader does."""

from __future__ import annotations

import itertools

import pytest

from search_core.domain.query import ConversationMemory, Turn
from search_core.models.llm.markdown import safe_markdown
from search_core.models.llm.prompt import data_and_question, earlier_messages, plain, summary_messages
from search_core.search.presenting.document import escape

_LEFT_OVER = ("<|", "＜|", "<｜", "<s", "<end", "<im", "[INST]", "[|", "<function")


def marks() -> tuple[str, ...]:
    """Return marks of chat templates, full-width ones among them, and marks put within marks or pulled apart."""
    words = ("im_start", "end▁of▁sentence", "start_header_id", "SYSTEM_TOKEN", "endoftext")
    bare = ("start_of_turn", "eos", "/s", "think", "tool_call", "function_calls", 'invoke name="x"', "document", "unused12")
    bare += ("0x0A", "extra_id_0", "모르는_표시", 'img src="x"', *(f"{bar}{word}{bar}" for bar in "|｜" for word in words))
    in_brackets = ("INST", "/INST", "TOOL_CALLS", "gMASK", "SEP", "|system|", "|endofturn|")
    odd = (
        "<|im_<|x|>end|>",
        "<\u200b|im_end|\u200b>",
        "< | im_end | >",
        "<<SYS>>",
        "<</SYS>>",
        "</<s>s>",
        "<s<s>>",
        "[IN[INST]ST]",
    )
    signs = [f"{opens}{word}{closes}" for (opens, closes), word in itertools.product(("<>", "＜＞", "﹤﹥"), bare)]
    return (*signs, *(f"{opens}{word}{closes}" for opens, closes in ("[]", "［］") for word in in_brackets), *odd)


def test_no_mark_reaches_a_prompt():
    """Wherever text of others is put into a prompt, a mark is gone or can be none; the words around it stay."""
    for mark in marks():
        text = f"앞 말 {mark} 뒷말"
        memory = ConversationMemory(turns=(Turn(question=text, answer=text),))
        prompts = [
            plain(text),
            summary_messages(text, text, text)[1].content,
            data_and_question([text], text, notice=text).content,
            *(message.content for message in earlier_messages(memory)),
        ]
        for prompt in prompts:
            assert [sign for sign in (mark, *_LEFT_OVER) if sign in prompt] == [], mark
            assert "앞 말" in prompt
            assert "뒷말" in prompt


@pytest.mark.parametrize(
    "text", ["3 < 5이고 7 > 2예요", "a -> b", "[12:41]에 나와요", "[1] 첫째", "매출이 <5% 늘었어요", "｜구분｜"]
)
def test_ordinary_signs_stay(text: str):
    """Comparisons, arrows, moments and numbers in brackets are no marks."""
    assert plain(text) == text


@pytest.mark.parametrize("element", ["<img src=x>", "<script>", "</p>", "<!-- x -->", "<?php"])
def test_no_element_stands_in_markdown(element: str):
    """Neither an answer nor foreign text in a file holds the beginning of an element, not even behind a backslash."""
    for markdown in (safe_markdown(f"앞 {element} 뒤"), escape(f"앞 {element} 뒤")):
        assert element[:2] not in markdown
        assert "&lt;" in markdown
