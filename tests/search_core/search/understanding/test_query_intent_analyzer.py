from __future__ import annotations

import logging

import pytest

from search_core.domain.query import ConversationMemory, ReferenceKind, SearchType
from search_core.domain.video import VideoContext
from search_core.errors import QuestionError
from search_core.search.understanding.question import QueryIntentAnalyzer

VIDEO = VideoContext(title="반도체 강연", speakers=("서도윤",), organizations=("한빛반도체",), language="ko")


@pytest.fixture(scope="module")
def analyzer() -> QueryIntentAnalyzer:
    return QueryIntentAnalyzer()


@pytest.mark.parametrize(
    ("query", "earlier", "needed"),
    [
        ("매출은?", "테슬라가 뭐야?", True),
        ("구글은?", "네이버 검색 점유율은?", True),
        ("What are the main advantages?", "What is a solid-state battery?", True),
        ("What about the cost?", "훈민정음 해례본은 어디에 있나요?", True),
        ("이러한 현상은 왜 생겨?", None, True),
    ],
)
def test_a_follow_up_needs_the_turn_before(analyzer: QueryIntentAnalyzer, query: str, earlier: str | None, needed: bool):
    """A bare property or name goes on with the turn before; alone, or with a new subject, a question needs none."""
    memory = ConversationMemory.from_questions([earlier] if earlier else [])
    assert analyzer.analyze_intent(query, None, memory).requires_context is needed
    assert analyzer.analyze_intent("매출은?", VIDEO).requires_context, "a property that has an owner in the video"


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
        ("메모리 대역폭 영어로 된 자료 찾아줘", "en"),
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
