from __future__ import annotations

import pytest

from search_core.text.questions import is_question


@pytest.mark.parametrize(
    "sentence",
    [
        "한라산국립공원은 누가 돌볼까요?",
        "그 까닭은 무엇이라고 보십니까",
        "정부는 얼마를 주나요.",
        "이건 뭐죠?",
        "“왜 그런가요?”",
        "What do you think about that",
        "So how would you fix it",
        "Is it safe?",
    ],
)
def test_what_asks_is_a_question_with_and_without_its_sign(sentence: str):
    """A sign, an ending with which Korean asks, or a beginning with which English does, makes a question."""
    assert is_question(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "국립공원은 22곳입니다.",
        "그건 CATL이 만든 거잖아요?",
        "작년에 많이 올랐죠?",
        "저는 매일 학교에 가요.",
        "좋지 않을까 합니다.",
        "그러니까 두 배입니다.",
        "What we do is build chips.",
        "",
    ],
)
def test_what_states_is_none(sentence: str):
    """What only makes sure states, and so do endings that look like those of questions."""
    assert not is_question(sentence)
