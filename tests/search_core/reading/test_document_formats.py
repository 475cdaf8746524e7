"""Markdown files as text."""

from __future__ import annotations

import pytest

from search_core.reading.document_formats import first_heading, plain


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**굵은** 글과 *기운* 글", "굵은 글과 기운 글"),
        ("__밑줄__ 과 snake_case 와 ~~지운~~ 글", "밑줄 과 snake_case 와 지운 글"),
        ("`코드` 와 ``두 ` 개``", "코드 와 두 ` 개"),
        ("3 * 4 * 5 와 2 ** 3", "3 * 4 * 5 와 2 ** 3"),
        ("여는 **줄\n닫는** 줄", "여는 **줄\n닫는** 줄"),
        ("[글](https://a.kr) 과 ![그림](a.png)", "글 과 그림"),
        ("앞<!-- 설명 -->뒤 <!-- 닫히지 않는 말", "앞뒤 <!-- 닫히지 않는 말"),
        ("# 제목 #\n- 하나\n> 둘\n---\n셋", "제목 #\n\n하나\n둘\n\n셋"),
    ],
)
def test_signs_go_and_words_stay(markdown: str, text: str):
    """What formats words is left out; signs that open nothing, or nothing in their line, stay as they are."""
    assert plain(markdown) == text


@pytest.mark.parametrize(
    ("markdown", "heading"),
    [("글\n## **제목** 하나 ##\n글", "제목 하나"), ("# C#", "C"), ("#제목", ""), ("#  두 칸", "두 칸")],
)
def test_the_first_heading_is_found(markdown: str, heading: str):
    """The first heading is told without its signs, those at its end too."""
    assert first_heading(markdown) == heading
