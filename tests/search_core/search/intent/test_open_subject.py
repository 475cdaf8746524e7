from __future__ import annotations

import pytest

from search_core.domain import ConversationMemory, VideoContext
from search_core.search.intent import QueryIntentAnalyzer

VIDEO = VideoContext(title="누리호의 하루")


@pytest.mark.parametrize(
    ("question", "left_open"),
    [
        ("언제 발사됐어?", True),
        ("몇 명이 참여했어?", True),
        ("수명은 얼마나 돼?", True),
        ("크기는?", True),
        ("어떤 엔진을 썼어?", True),
        ("세종대왕은 언제 태어났어?", False),
        ("리튬이온 전지는 누가 발명했어?", False),
        ("서울에서 부산까지 거리가 얼마야?", False),
        ("블랙홀이란 무엇인가요?", False),
        ("고양이는 왜 울어?", False),
        ("전고체 배터리", False),
    ],
)
def test_a_question_before_a_video_may_leave_its_subject_to_it(question: str, left_open: bool):
    """What names nothing of its own needs the video, also after earlier turns; what names its subject, and keywords, do not."""
    analyzer = QueryIntentAnalyzer()
    assert analyzer.analyze_intent(question, VIDEO).requires_context is left_open
    memory = ConversationMemory.from_questions(("나로우주센터는 어디에 있어?",))
    assert analyzer.analyze_intent(question, VIDEO, memory).requires_context is left_open


def test_without_a_video_nothing_is_left_to_it():
    """The same words stand alone where no video is open."""
    assert not QueryIntentAnalyzer().analyze_intent("수명은 얼마나 돼?").requires_context
