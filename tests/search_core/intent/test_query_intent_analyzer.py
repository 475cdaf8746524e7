from __future__ import annotations

import logging

import pytest

from search_core.domain import ConversationMemory, ReferenceKind, SearchType, VideoContext
from search_core.errors import QuestionError
from search_core.intent import QueryIntentAnalyzer

VIDEO = VideoContext(title="반도체 강연", speakers=("서도윤",), organizations=("한빛반도체",), language="ko")


@pytest.fixture(scope="module")
def analyzer() -> QueryIntentAnalyzer:
    return QueryIntentAnalyzer()


POINTING = """
이 회사 최근 실적은?
그 사람이 누구야
더 자세히
방금 말한 거 다시 설명해줘
왜 그런 거야?
아까 나온 회사 주가는?
이러한 현상은 왜 생겨?
위 내용 출처 찾아줘
발표자가 누구야
이 교수 소속이 어디야?
저 기술은 누가 개발했어?
what did he mean by that
is this company still hiring
Who is the CEO of this company?
tell me more
Why did they do that?
"""
COMPLETE = """
메모리 대역폭이 뭐야?
삼성전자 HBM4 양산 일정
정부가 담뱃값 인상을 검토하고 있다. 이에 대한 생각은?
이차전지와 그 소재 기업 목록
이번 주 코스피 전망은?
그동안 반도체 가격 변화
기생충 저자가 누구야
What is CRISPR and how does it work?
what time is it in Seoul
Where did Tesla build its first factory?
Tell me about feijoada and its significance
is it legal to fly a drone in Seoul
"""


@pytest.mark.parametrize("query", POINTING.strip().splitlines())
def test_a_question_that_points_outside_needs_context(analyzer: QueryIntentAnalyzer, query: str):
    """Pointing words and bare requests for more cannot be understood alone."""
    assert analyzer.analyze_intent(query).requires_context


@pytest.mark.parametrize("query", COMPLETE.strip().splitlines())
def test_a_question_that_says_all_needs_none(analyzer: QueryIntentAnalyzer, query: str):
    """A pointing word whose noun stands in the question itself is no gap; neither are fixed phrases and expletives."""
    assert not analyzer.analyze_intent(query, VIDEO).requires_context


@pytest.mark.parametrize(
    ("query", "earlier", "needed"),
    [
        ("매출은?", "테슬라가 뭐야?", True),
        ("매출은?", None, False),
        ("장점과 단점은?", "테슬라가 뭐야?", True),
        ("장점과 단점은?", None, False),
        ("가격은 얼마야?", "테슬라가 뭐야?", True),
        ("가격은 얼마야?", None, False),
        ("구글은?", "네이버 검색 점유율은?", True),
        ("구글은?", None, False),
        ("What are the main advantages?", "What is a solid-state battery?", True),
        ("What is a supercapacitor?", "What is a solid-state battery?", False),
        ("How do tides work?", "훈민정음 해례본은 어디에 있나요?", False),
        ("Is coffee healthy?", "훈민정음 해례본은 어디에 있나요?", False),
        ("Where is it?", "훈민정음 해례본은 어디에 있나요?", True),
        ("What about the cost?", "훈민정음 해례본은 어디에 있나요?", True),
    ],
)
def test_a_follow_up_needs_the_turn_before(analyzer: QueryIntentAnalyzer, query: str, earlier: str | None, needed: bool):
    """A bare property or name goes on with the turn before; alone, or with a new subject, a question needs none."""
    memory = ConversationMemory.from_questions([earlier] if earlier else [])
    assert analyzer.analyze_intent(query, None, memory).requires_context is needed


def test_a_bare_property_may_belong_to_the_video(analyzer: QueryIntentAnalyzer):
    """What has an owner in the video needs it."""
    assert all(
        analyzer.analyze_intent(query, VIDEO).requires_context for query in ("매출은?", "장점과 단점은?", "가격은 얼마야?")
    )


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("엔비디아 주가 최근 동향 알려줘", SearchType.NEWS),
        ("애플 신제품 언제 공개돼?", SearchType.NEWS),
        ("검찰, 대형 게임사 압수수색", SearchType.NEWS),
        ("latest news on the export ban", SearchType.NEWS),
        ("양자컴퓨터의 원리를 쉽게 설명해 주세요", SearchType.BACKGROUND),
        ("임진왜란은 언제 일어났어?", SearchType.BACKGROUND),
        ("Who invented the transistor?", SearchType.BACKGROUND),
        ("노트북 추천해줘", SearchType.GENERAL),
        ("청년들에게 재택근무를 확대해야 하는가?", SearchType.GENERAL),
        ("how to install docker", SearchType.GENERAL),
    ],
)
def test_the_kind_of_material_is_told(analyzer: QueryIntentAnalyzer, query: str, kind: SearchType):
    """News, background and anything else are told apart in both languages."""
    assert analyzer.determine_search_type(query) is kind
    intent = analyzer.analyze_intent(query)
    assert intent.intent_type is kind
    assert 1 / 3 <= intent.confidence <= 1


def test_a_follow_up_without_a_kind_takes_that_of_the_turn_before(analyzer: QueryIntentAnalyzer):
    """A contrast like "그럼 SK하이닉스는?" asks for news after news."""
    memory = ConversationMemory.from_questions(["삼성전자 최근 실적 뉴스"])
    assert analyzer.analyze_intent("그럼 SK하이닉스는?", None, memory).intent_type is SearchType.NEWS


def test_search_terms_leave_pointing_words_out(analyzer: QueryIntentAnalyzer):
    """The head of "이 회사" is no term, the noun that tells more is; a word said twice in any case is one term."""
    assert analyzer.extract_search_terms("이 회사 최근 실적은?") == ("최근", "실적")
    assert analyzer.extract_search_terms("그 감독 다른 작품은?") == ("감독", "작품")
    assert analyzer.extract_search_terms("Tesla 주가와 TESLA 실적") == ("Tesla", "주가", "실적")
    for unusable in ("", "  ", "가" * 501):
        with pytest.raises(QuestionError):
            analyzer.analyze_intent(unusable)


def test_references_tell_what_they_point_at(analyzer: QueryIntentAnalyzer):
    """Each pointing word has its kind and place."""
    (reference,) = analyzer.analyze_intent("이 회사 최근 실적은?").references
    assert (reference.text, reference.start, reference.end, reference.kind) == ("이 회사", 0, 4, ReferenceKind.ORGANIZATION)
    (person,) = analyzer.analyze_intent("Who is she?").references
    assert (person.text, person.kind) == ("she", ReferenceKind.PERSON)


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("메모리 대역폭", "ko"),
        ("memory bandwidth", "en"),
        ("메모리 대역폭 영어로 된 자료 찾아줘", "en"),
        ("영문 기사 보여줘 엔비디아", "en"),
        ("NVIDIA news in Korean", "ko"),
        ("メモリ帯域", "ko"),
    ],
)
def test_the_language_wanted_is_told(analyzer: QueryIntentAnalyzer, query: str, language: str):
    """Korean unless the question is English or asks for English."""
    assert analyzer.analyze_intent(query).language_preference == language


def test_a_failing_analysis_falls_back_to_plain_words(caplog: pytest.LogCaptureFixture):
    """Whatever breaks inside, the words of the question remain, the result says so and the log names the cause."""

    def broken(_text: str) -> tuple[()]:
        raise ValueError("no dictionary")

    with caplog.at_level(logging.ERROR):
        intent = QueryIntentAnalyzer(terms_of=broken).analyze_intent("이 회사 최근 실적은?")
    assert intent.degraded
    assert intent.search_terms == ("이", "회사", "최근", "실적은?")
    assert intent.intent_type is SearchType.GENERAL
    assert "no dictionary" in caplog.text
