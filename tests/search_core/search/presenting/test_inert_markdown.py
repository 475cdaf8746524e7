"""Foreign text in Markdown files: it shows as it is, and carries no more backslashes than that needs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from search_core.search.presenting.document import escape
from tests.search_core.models.llm.hostile_markdown import PAYLOADS

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def shown(markdown: str) -> list[str]:
    """Return the kinds of blocks and marks that *markdown* makes, and what a reader sees."""
    blocks = READER.parse(markdown)
    inline = [token for block in blocks for token in block.children or []]
    kinds = {token.type for token in (*blocks, *inline)} - {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}
    return [*sorted(kinds), "".join(token.content for token in inline)]


PLAIN = (
    "메모리 대역폭은 2.5배(약 30%)예요. 왜? SK-하이닉스, A/B!",
    "2026-03-18 12:30 발표: “최대 2 TB/s”",
    "0.8초 · +12% · -3점",
)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        *((text, text) for text in PLAIN),
        ("- 목록", r"\- 목록"),
        ("# 제목", r"\# 제목"),
        ("[글](http://a.example)", r"\[글\]\(http\:\/\/a\.example\)"),
        ("a.example 참고", r"a\.example 참고"),
        ("2 < 3 | *중요*", r"2 &lt; 3 \| \*중요\*"),
    ],
)
def test_only_what_would_be_markup_is_escaped(text: str, written: str):
    """Signs of markup are escaped; full stops, hyphens, times and percentages inside a sentence are written as they are."""
    assert escape(text) == written


@pytest.mark.parametrize("name", PAYLOADS)
def test_hostile_texts_show_as_they_are(name: str):
    """No payload becomes anything but text."""
    assert shown(escape(PAYLOADS[name]))[:-1] == []


@given(st.text("ab1.2)-+=#>*_`~[]()!<&;:/|\\ 가\t\"'$", max_size=24), st.text("ab1.-+=#>*_[](): ", max_size=8))
def test_any_text_shows_as_it_is(text: str, more: str):
    """Whatever the signs, a reader sees the words of the text, and another text behind it changes nothing."""
    assert shown(escape(text)) == [" ".join(text.split())]
    assert shown(f"{escape(text)}{escape(more)}")[:-1] == []
