from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from search_core.domain.query import ConversationMemory, PartOrigin
from search_core.domain.video import VideoContext
from search_core.errors import QuestionError
from search_core.search.understanding.constructor import PROVIDER_MAX_CHARS, QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer, validate_question
from tests.search_core.generated_videos import SEED, TOPICS, names, videos

ANALYZER = QueryIntentAnalyzer()
CONSTRUCTOR = QueryConstructor()

VAGUE = """
이 회사 최근 실적은?
그 사람이 누구야
더 자세히
왜 그런 거야?
이 행사 언제 열려?
매출은?
발표자 경력 알려줘
방금 말한 거 다시 설명해줘
what did he mean by that
when was this company founded?
""".strip().splitlines()
SPECIFIC = ("가격", "양산 일정", "장점", "뉴스", "history", "supply chain", "점유율", "특허 분쟁", "ß-carotene", "100%")
FRAMES = ("{}", "{} 알려줘", "{}은 무엇인가요?", "{}에 대해 자세히 설명해 주세요", "{}?!", "what about {}", "  {} ")


@st.composite
def specific_questions(draw: st.DrawFn) -> str:
    """Return a question that names things, in Korean or English, with odd signs around them."""
    terms = draw(st.lists(st.one_of(st.sampled_from((*TOPICS, *SPECIFIC)), names), min_size=1, max_size=4, unique=True))
    return draw(st.sampled_from(FRAMES)).format(" ".join(terms))


any_question = st.one_of(specific_questions(), st.sampled_from(VAGUE), st.text(max_size=60))


def searchable(text: str) -> bool:
    try:
        validate_question(text)
    except QuestionError:
        return False
    return True


def folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFC", text).casefold())


def elements(video: VideoContext) -> set[str]:
    """Return what the query may name the video by: its names, its key terms, the words of its title; either script counts."""
    words = [word for word in re.split(r"[\s\[\]|:!★]+", video.title) if folded(word)]
    return {folded(name) for name in (*video.speakers, *video.organizations, *video.events, *video.key_terms, *words)} | {
        folded(alias)
        for name, alias in (
            ("엔비디아", "NVIDIA"),
            ("SK하이닉스", "SK hynix"),
            ("한국은행", "Bank of Korea"),
            ("젠슨 황", "Jensen Huang"),
        )
        if name in (*video.organizations, *video.speakers)
    }


@SEED
@given(any_question.filter(searchable), videos())
def test_the_query_holds_an_element_of_the_video(question: str, video: VideoContext):
    """Feature: improved-web-search, Property 1: the constructed query contains relevant elements of the video context."""
    built = CONSTRUCTOR.construct_query(ANALYZER.analyze_intent(question, video), video)
    assert any(element in folded(built.text) for element in elements(video)), built.text
    assert len(built.text) <= PROVIDER_MAX_CHARS


@SEED
@given(st.sampled_from(VAGUE), videos())
def test_a_vague_request_is_clarified(question: str, video: VideoContext):
    """Feature: improved-web-search, Property 4: a vague request is clarified with video context."""
    intent = ANALYZER.analyze_intent(question, video)
    built = CONSTRUCTOR.construct_query(intent, video)
    assert intent.requires_context
    from_video = [part for part in built.parts if part.origin not in (PartOrigin.QUESTION, PartOrigin.DATE, PartOrigin.MEMORY)]
    assert from_video
    said = folded(" ".join((video.title, *named(video), *video.key_terms, *(each.text for each in video.transcript))))
    assert all(folded(part.text) in said for part in from_video)
    assert not any(reference.text in built.text.split() for reference in intent.references if " " not in reference.text)


@SEED
@given(specific_questions().filter(searchable), st.one_of(st.none(), videos()), st.lists(specific_questions(), max_size=2))
def test_the_terms_of_the_user_stay(question: str, video: VideoContext | None, history: list[str]):
    """Feature: improved-web-search, Property 5: the user's specific terms stay in the query, verbs as they were written."""
    memory = ConversationMemory.from_questions(history)
    intent = ANALYZER.analyze_intent(question, video, memory)
    built = CONSTRUCTOR.construct_query(intent, video, memory)
    assert all(folded(term.written) in folded(built.text) for term in intent.terms)
    assert built.text == " ".join(part.text for part in built.parts)
    assert all(query.strip() and query != built.text for query in built.fallback_queries)
    typed = validate_question(question)
    for term in (*TOPICS, "가격", "양산 일정", "특허 분쟁", "supply chain", "history", "점유율"):
        if term in typed:
            assert all(folded(word) in folded(built.text) for word in term.split()), (term, built.text)


def named(video: VideoContext) -> tuple[str, ...]:
    return (*video.speakers, *video.organizations, *video.events, *video.key_terms)
