from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from search_core.answers.chat.chat import MAX_SPOKEN_CHARS, spoken_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HBM은 **아주** 빨라요 [12:41]. 값은 *비싸요* [1, 2].", "HBM은 아주 빨라요. 값은 비싸요."),
        ("- 첫째 [1]\n- 둘째 [1:02:03]", "첫째.\n둘째."),
        ("## 요약\n\n`HBM`은 메모리예요.", "요약.\nHBM은 메모리예요."),
        ("[누르세요](https://evil.example) https://evil.example/a 보세요.", "누르세요 보세요."),
        ("![그림](https://evil.example/p.png) 글이에요.", "글이에요."),
        ("| 이름 | 값 |\n|---|---|\n| HBM | 5 |", "이름.\n값.\nHBM.\n5."),
        ("[12:41, 13:05]에 나와요", "에 나와요."),
        ("배열 [가나다]는 남아요.", "배열 [가나다]는 남아요."),
        ("[1]", ""),
    ],
)
def test_a_voice_is_given_words_only(text: str, expected: str):
    """Neither Markdown nor moments, numbers of sources and addresses are read aloud; lines end like sentences."""
    assert spoken_text(text) == expected


@settings(max_examples=40)
@given(st.text(max_size=200))
@example("열 글자인 문장이에요. " * 1000)
def test_whatever_is_written_can_be_read(text: str):
    """Any text gives lines that end like sentences, no more than an endpoint takes."""
    said = spoken_text(text)
    assert len(said) <= MAX_SPOKEN_CHARS
    assert all(line and not line[-1].isalnum() for line in said.split("\n") if said)
