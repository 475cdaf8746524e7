"""The passages that an answer rests on, and the moments of what is said in them."""

from __future__ import annotations

import pytest

from search_core.checking.online_check import MAX_STATEMENTS, passages_to_check, statements_to_compare
from search_core.domain.conversation import AnswerRecord
from search_core.domain.video import TranscriptPassage, TranscriptSegment, VideoContext
from tests.search_core.answers.asking import asking, scorer


def passage(start_s: float, *texts: str, score: float = 0.9) -> TranscriptPassage:
    """Return a passage whose captions take ten seconds each."""
    segments = (TranscriptSegment(start_s + 10 * place, start_s + 10 * place + 9, text) for place, text in enumerate(texts))
    return TranscriptPassage(segments=tuple(segments), score=score)


FIRST, SECOND, FAR = passage(10.5, "하나"), passage(60.0, "둘", "셋"), passage(200.0, "넷", score=0.01)
VIDEO = VideoContext(title="영상", transcript=(*FIRST.segments, *SECOND.segments, *FAR.segments))


def resting(answer: AnswerRecord | None) -> tuple[TranscriptPassage, ...]:
    return passages_to_check(asking("질문이 무엇인가요?", VIDEO), answer, scorer())


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ((10.0,), (FIRST,)),
        ((79.0, 10.0), (FIRST, SECOND)),
        ((), (FIRST, SECOND)),
        ((40.0,), (FIRST, SECOND)),
    ],
)
def test_an_answer_rests_on_the_passages_it_cites(moments: tuple[float, ...], expected: tuple[TranscriptPassage, ...]):
    """Cited moments choose, in the order of the video; without one inside a passage those count that bear on the question."""
    assert resting(AnswerRecord(passages=(SECOND, FAR, FIRST), moments=moments)) == expected


def test_a_statement_begins_where_its_sentence_does():
    """Two sentences of one passage have two moments, also one that begins in the middle of a caption and goes on in the next."""
    said = passage(
        300.0,
        "한빛반도체의 세계 D램 점유율은 34퍼센트예요. 한빛반도체의 1분기",
        "매출은 12조 원이에요. 고맙습니다.",
        "한빛반도체의 직원은 3만 명이에요.",
    )
    video = VideoContext(title="한빛반도체 이야기", transcript=said.segments)
    chosen = statements_to_compare(asking("한빛반도체의 매출과 점유율과 직원 수는?", video), [said], scorer())
    assert [(each.start_s, each.text) for each in chosen] == [
        (300.0, "한빛반도체의 세계 D램 점유율은 34퍼센트예요."),
        (306.57, "한빛반도체의 1분기 매출은 12조 원이에요."),  # letter 27 of a caption of 37 letters and 9 seconds
        (320.0, "한빛반도체의 직원은 3만 명이에요."),
    ]


def test_what_says_nothing_checkable_is_no_statement():
    """Of an answer's sentences those are compared that can be right or wrong and bear on the question, at most six."""
    said = passage(
        60.0,
        "오늘은 배터리 이야기를 하겠습니다.",
        "정말 좋은 질문이에요.",
        "배터리 가격은 1년 만에 20퍼센트 내려 킬로와트시당 115달러가 되었습니다.",
        "그래서 다음 이야기가 나옵니다.",
        "저는 지난주에 김치찌개를 끓였습니다.",
    )
    video = VideoContext(title="배터리", transcript=said.segments)
    asked = asking("배터리 가격은 얼마나 내렸어?", video)
    assert [each.start_s for each in statements_to_compare(asked, [said], scorer())] == [80.0]
    assert statements_to_compare(asked, [passage(60.0, "좋아요 부탁드립니다.", "왜 그럴까요?")], scorer()) == ()
    prices = passage(0.0, *(f"배터리 가격은 {year}년에 {year - 1900}달러였습니다." for year in range(2010, 2020)))
    assert len(statements_to_compare(asked, [prices], scorer())) == MAX_STATEMENTS
