"""Markdown files as text."""

from __future__ import annotations

import pytest

from search_core.reading.document_formats import markdown_text


@pytest.mark.parametrize(
    ("markdown", "heading", "text"),
    [
        ("**굵은** 글과 *기운* 글", "", "굵은 글과 기운 글"),
        ("snake_case 와 `코드` 와 ``두 ` 개``", "", "snake_case 와 코드 와 두 ` 개"),
        ("3 * 4 * 5 와 2 ** 3", "", "3 * 4 * 5 와 2 ** 3"),
        ("[글](https://a.kr) 과 ![그림](a.png)\n다음 줄", "", "글 과 그림\n다음 줄"),
        ("앞<!-- 설명 -->뒤 <!-- 닫히지 않는 말", "", "앞뒤 <!-- 닫히지 않는 말"),
        ("글\n## **제목** 하나 ##\n- 하나\n- 둘\n\n> 셋\n\n---\n넷", "제목 하나", "글\n\n제목 하나\n\n하나\n둘\n\n셋\n\n넷"),
        ("# C#\n```\ncode\n```", "C#", "C#\n\ncode"),
        ("#제목", "", "#제목"),
        ("1986. 올림픽\n\n1) 하나\n2) 둘", "", "1986. 올림픽\n\n1) 하나\n2) 둘"),
    ],
)
def test_signs_go_and_words_stay(markdown: str, heading: str, text: str):
    """What formats words is left out; signs that open nothing stay; the first heading is told."""
    assert markdown_text(markdown) == (heading, text)
