from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from search_core.domain.query import ConstructedQuery, ConversationMemory
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from tests.search_core.models.embedding.conftest import shipped

__all__ = ["shipped"]
Build = Callable[..., ConstructedQuery]


@pytest.fixture(scope="session")
def build() -> Build:
    """Return a function from a question, a video and earlier questions to the built query; the year is 2026."""
    analyzer = QueryIntentAnalyzer()
    constructor = QueryConstructor(now=lambda: datetime(2026, 11, 20, tzinfo=UTC))

    def built(query: str, video: VideoContext | None = None, history: Sequence[str] = ()) -> ConstructedQuery:
        memory = ConversationMemory.from_questions(history)
        return constructor.construct_query(analyzer.analyze_intent(query, video, memory), video, memory)

    return built


@pytest.fixture(scope="session")
def talk() -> VideoContext:
    said = [
        "안녕하세요 한빛반도체 서도윤입니다",
        "오늘은 메모리 대역폭이 왜 중요한지 말씀드리겠습니다",
        "HBM4는 한빛반도체가 내년 상반기에 양산합니다",
        "다른 이야기를 잠깐 하겠습니다",
        "점심은 무엇을 드셨나요",
        "날씨가 좋습니다",
        "추론 비용은 별빛컴퓨팅의 다음 가속기가 결정합니다",
    ]
    return VideoContext(
        title="AI 메모리 대전: 서도윤 연구위원 강연",
        speakers=("서도윤",),
        organizations=("한빛반도체", "별빛컴퓨팅"),
        events=("2026 반도체 대전",),
        key_terms=("메모리 대역폭", "HBM4"),
        language="ko",
        transcript=tuple(TranscriptSegment(i * 5.0, i * 5.0 + 5, text) for i, text in enumerate(said)),
    )
