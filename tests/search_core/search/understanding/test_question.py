from __future__ import annotations

import unicodedata

import pytest

from search_core.domain.report import MAX_QUESTION_CHARS
from search_core.errors import QuestionError, SmallTalkError
from search_core.search.understanding.question import validate_question

GREETED = ("안녕", "안녕하세요!", "고마워요", "thank you so much", "ㅋㅋㅋ", "ㄱㅅ")
NOISE = ("ㅁㄴㅇㄹ", "asdf qwer", "asdfasdf", "qweasdzxc", "ㅁㄴㅇㄹ ㅋㅋ zxcv")


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        *((text, QuestionError, "질문이 비어 있어요") for text in ("", "\u200b\ufeff")),
        *((text, QuestionError, "질문에 검색할 단어가 없어요") for text in ("???", "🚀🔥")),
        ("가" * (MAX_QUESTION_CHARS + 1), QuestionError, "질문이 너무 길어요(501자)"),
        *((text, SmallTalkError, "반가워요!") for text in GREETED),
        *((text, QuestionError, "알아듣지 못했어요.") for text in NOISE),
    ],
)
def test_what_asks_nothing_is_refused_with_its_reason(text: str, kind: type[QuestionError], said: str):
    """Nothing, signs alone, too much, small talk and runs of neighbouring keys each have a Korean sentence of their own."""
    with pytest.raises(QuestionError) as refused:
        validate_question(text)
    assert (type(refused.value), refused.value.korean.startswith(said)) == (kind, True)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        *((text, text) for text in ("안녕 리뷰", "hello kitty", "감사원", "가" * MAX_QUESTION_CHARS)),
        *((text, text) for text in ("qwerty 자판", "asd", "poi", "property", "ㅁㄴㅇㄹ 뜻", "power")),
        ("  메모리\n\u202e대역폭\u200b은?  ", "메모리 대역폭 은?"),
        (unicodedata.normalize("NFD", "반도체"), "반도체"),
        ("금리 \ud83d", "금리"),
    ],
)
def test_a_question_is_tidied(text: str, asked: str):
    """Line breaks, zero width and direction signs and half an emoji go, Hangul is composed; names that look like noise stay."""
    assert validate_question(text) == asked
