"""Text from outside can neither draw nor lead anywhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.parts.shared.escaping import clean, label, link, md

CODE = re.compile(r"(?<!\\)`[^`]+`")
ASCII_MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_every_mark_is_escaped(text):
    """In escaped text each ASCII punctuation mark outside of code has a backslash before it: Markdown finds nothing to do."""
    escaped = CODE.sub("", md(text))
    index = 0
    while index < len(escaped):
        if escaped[index] == "\\":
            assert escaped[index + 1] in ASCII_MARKS
            index += 2
        else:
            assert escaped[index] not in ASCII_MARKS
            index += 1


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.integers(min_value=1, max_value=50))
def test_clean_text_is_one_short_line(text, limit):
    """Cleaned text has no line breaks, no control or direction characters, and keeps to its limit."""
    cleaned = clean(text, limit)
    assert len(cleaned) <= limit
    assert not set(cleaned) & set("\n\r\t\x00\x1b\u202e\u200b\u2066\ufeff")


def test_only_ordinary_web_addresses_become_links():
    """Any other address leaves the bare text; brackets in the title stay in the title."""
    for url in ("javascript:alert(1)", "/chat?x=1", "https://user:secret@evil.example/", ""):
        assert link("제목", url) == "제목"
    assert link("a](https://evil.example) b", "https://good.example/") == (
        "[a\\]\\(`https://evil.example`\\) b](https://good.example/)"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(https://evil.example/a_b?c=1).", "\\(`https://evil.example/a_b?c=1`\\)\\."),
        ("www.evil.example|WWW.evil.example", "`www.evil.example`\\|`WWW.evil.example`"),
        ("메일: a.b-@evil.example, 끝", "메일\\: `a.b-@evil.example`\\, 끝"),
        ("http://a`b http://c", "`http://a`\\`b `http://c`"),
        (":material/star: 좋아요 :streamlit:", "`:material/star:` 좋아요 `:streamlit:`"),
        ("3:2 @이름 a@ @b ://", "3\\:2 \\@이름 a\\@ \\@b `://`"),
        ("점 .@evil.example", "점 `.@evil.example`"),
    ],
)
def test_addresses_are_shown_and_not_linked(text, written):
    """What Streamlit would make a link or an icon of by itself stands there as code."""
    assert md(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("대역폭은 2.8테라(TB/s), 40% 늘었다!", "대역폭은 2.8테라(TB/s), 40% 늘었다!"),
        ("2. 목록이 아니에요", "2\\. 목록이 아니에요"),
        ("![x](http://a) <b> :red[빨강] $x$ # *a*", "!\\[x\\](`http://a`) \\<b\\> \\:red\\[빨강\\] \\$x\\$ \\# \\*a\\*"),
        ("- 줄 | `코드`", "\\- 줄 \\| \\`코드\\`"),
    ],
)
def test_labels_are_read_out_without_needless_backslashes(text, written):
    """What would be a picture, a link, a list or a colour keeps them; ordinary punctuation has none."""
    assert label(text) == written
