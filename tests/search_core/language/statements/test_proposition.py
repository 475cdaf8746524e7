"""What sentences do: ask, or say again what was said before."""

from __future__ import annotations

import pytest

from search_core.language.statements.proposition import is_question, without_lead


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


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("다시 말씀드리지만 설악산의 높이는 1,708미터입니다.", "설악산의 높이는 1,708미터입니다."),
        ("자, 아까 말했듯이, 첫 표준은 2013년에 나왔습니다.", "첫 표준은 2013년에 나왔습니다."),
        ("As I said before, the mirror is 6.5 metres across.", "The mirror is 6.5 metres across."),
        ("그가 말했듯이 값은 5달러입니다.", "그가 말했듯이 값은 5달러입니다."),
        ("Again and again it rose.", "Again and again it rose."),
    ],
)
def test_what_was_said_before_is_left(sentence: str, said: str):
    """Only words of the speaker about their own speech are dropped."""
    assert without_lead(sentence) == said
