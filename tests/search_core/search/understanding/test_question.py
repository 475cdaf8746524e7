from __future__ import annotations

import unicodedata

import pytest

from search_core.domain.report import MAX_QUESTION_CHARS
from search_core.errors import QuestionError, SmallTalkError
from search_core.search.understanding.question import validate_question


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "비어 있어요"),
        ("\u200b\ufeff", "비어 있어요"),
        ("???", "단어가 없어요"),
        ("🚀🔥", "단어가 없어요"),
    ],
)
def test_a_question_without_letters_is_refused(text: str, said: str):
    """Nothing to search for is an error with a Korean sentence, which calls only what is empty empty."""
    with pytest.raises(QuestionError) as caught:
        validate_question(text)
    assert said in caught.value.korean


def test_the_longest_question_passes_and_one_more_character_does_not():
    """The limit is inclusive and named in the message."""
    assert validate_question("가" * MAX_QUESTION_CHARS) == "가" * MAX_QUESTION_CHARS
    with pytest.raises(QuestionError, match="501"):
        validate_question("가" * (MAX_QUESTION_CHARS + 1))


def test_white_space_is_made_single_and_control_signs_go():
    """Line breaks, zero width and direction signs and half an emoji do not reach a query; Hangul is composed."""
    assert validate_question("  메모리\n\u202e대역폭\u200b은?  ") == "메모리 대역폭 은?"
    assert validate_question(unicodedata.normalize("NFD", "반도체")) == "반도체"
    assert validate_question("금리 \ud83d") == "금리"


@pytest.mark.parametrize("text", ["안녕", "안녕하세요!", "고마워요", "thank you so much", "ㅋㅋㅋ", "ㄱㅅ"])
def test_small_talk_is_answered_kindly_and_not_searched_for(text: str):
    """Greetings, thanks and laughter ask nothing."""
    with pytest.raises(SmallTalkError, match="asks nothing") as refused:
        validate_question(text)
    assert refused.value.korean.startswith("반가워요!")
    assert [validate_question(each) for each in ("안녕 리뷰", "hello kitty", "감사원")] == ["안녕 리뷰", "hello kitty", "감사원"]


@pytest.mark.parametrize("text", ["ㅁㄴㅇㄹ", "asdf qwer", "asdfasdf", "qweasdzxc", "ㅁㄴㅇㄹ ㅋㅋ zxcv"])
def test_keyboard_noise_is_not_understood_and_not_greeted(text: str):
    """Runs of neighbouring keys alone are no question; words, names and short forms that hold such a run are."""
    with pytest.raises(QuestionError) as refused:
        validate_question(text)
    assert not isinstance(refused.value, SmallTalkError)
    assert refused.value.korean == "알아듣지 못했어요. 무엇이 궁금한지 한 문장으로 적어 주세요."
    asked = ("qwerty 자판", "asd", "poi", "property", "ㅁㄴㅇㄹ 뜻", "power")
    assert tuple(map(validate_question, asked)) == asked
