"""What "이 회사" is taken for is a company, said, and can be changed."""

from __future__ import annotations

import pytest

from search_core.domain.query import ConstructedQuery, ConversationMemory, Turn
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.errors import QuestionError
from search_core.search.presenting.wording import name_referent
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.search.understanding.resolution import refuse_unknown_company

VIDEO = VideoContext(
    title="HBM과 메모리 대역폭", speakers=("젠슨 황",), organizations=("SK하이닉스", "삼성전자", "엔비디아"), events=("GTC",)
)
QUESTION = "이 회사 최근 실적은?"


def construct(question: str, video: VideoContext | None, memory: ConversationMemory | None = None) -> ConstructedQuery:
    return QueryConstructor().construct_query(QueryIntentAnalyzer().analyze_intent(question, video, memory), video, memory)


def test_what_a_pointing_word_was_taken_for_is_returned_with_the_others():
    """The company named last, else one of the video, is meant; a speaker or a title never stands for a company."""
    built = construct(QUESTION, VIDEO)
    [referent] = built.referents
    assert (referent.reference, referent.meaning, referent.others) == ("이 회사", "SK하이닉스", ("삼성전자", "엔비디아"))
    assert "SK하이닉스" in built.text
    memory = ConversationMemory(turns=(Turn(question="삼성전자 실적은?", query="삼성전자 실적"),))
    assert [each.meaning for each in construct("이 회사 주가는?", VIDEO, memory).referents] == ["삼성전자"]
    unnamed = construct(QUESTION, VideoContext(title="반도체 산업의 미래 전략", speakers=("젠슨 황",)))
    assert [each.meaning for each in unnamed.referents] == [""]
    assert "젠슨 황" not in unnamed.text


def test_without_a_video_the_company_is_asked_for():
    """A search for "this company" that nothing names is refused, and the sentence says what to do."""
    with pytest.raises(QuestionError) as caught:
        refuse_unknown_company(construct(QUESTION, None))
    assert caught.value.korean == "‘이 회사’: 어느 곳을 말하는지 알 수 없어요. 이름을 넣거나 영상을 열고 다시 물어봐 주세요."
    refuse_unknown_company(construct("삼성전자 최근 실적은?", None))


@pytest.mark.parametrize(
    ("question", "name", "changed"),
    [
        ("이 회사 최근 실적은?", "삼성전자", "삼성전자 최근 실적은?"),
        ("이 회사는 언제 세워졌어?", "SK하이닉스", "SK하이닉스는 언제 세워졌어?"),
        ("이 회사가 만든 칩은?", "리벨칩", "리벨칩이 만든 칩은?"),
    ],
)
def test_a_change_asks_the_same_of_another_company(question, name, changed):
    """The name takes the place of the pointing word, with the particle it asks for."""
    [referent] = construct(question, VIDEO).referents
    assert name_referent(question, referent, name) == changed


def test_without_a_moment_only_what_fits_is_meant():
    """A thing that stands near is no shop: what is meant stays open, and the question is asked with what the video is about."""
    said = (
        "안녕하세요, 오늘은 천연 발효종 빵을 굽습니다.",
        "분홍색 줄이 보이면 발효종이 상한 것입니다.",
        "발효종은 밀가루와 물로 만듭니다.",
        "굽는 양을 하루 80개로 줄였습니다.",
    )
    video = VideoContext(transcript=tuple(TranscriptSegment(7.0 * n, 7.0 * n + 6, text) for n, text in enumerate(said)))
    built = construct("이 서점은 왜 굽는 양을 줄였어?", video)
    assert [(each.reference, each.meaning) for each in built.referents] == [("이 서점", "")]
    assert "발효종" in built.text
