from __future__ import annotations

import pytest

from search_core.language.statements.proposition import is_question


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [
        ("한라산국립공원은 누가 돌볼까요?", True),
        ("그 까닭은 무엇이라고 보십니까", True),
        ("정부는 얼마를 주나요.", True),
        ("What do you think about that", True),
        ("Is it safe?", True),
        ("국립공원은 22곳입니다.", False),
        ("그건 CATL이 만든 거잖아요?", False),
        ("그러니까 두 배입니다.", False),
        ("What we do is build chips.", False),
        ("", False),
    ],
)
def test_what_asks_is_a_question_with_and_without_its_sign(sentence: str, asks: bool):
    """A sign, or how a sentence ends in Korean or begins in English, makes a question; what only makes sure states."""
    assert is_question(sentence) is asks
