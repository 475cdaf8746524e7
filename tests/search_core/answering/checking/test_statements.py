"""The passages that an answer rests on, and the moments of what is said in them."""

from __future__ import annotations

import pytest

from search_core.answering.checking.statements import compare_passages, passages_to_check
from search_core.domain import AnswerRecord, Stance, TranscriptPassage, TranscriptSegment, VideoContext
from tests.search_core.answering.asking import NOW, asking, hbm, scorer
from tests.search_core.scripted import result


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
        ((200.0,), (FAR,)),
        ((), (FIRST, SECOND)),
        ((40.0,), (FIRST, SECOND)),
    ],
)
def test_an_answer_rests_on_the_passages_it_cites(moments: tuple[float, ...], expected: tuple[TranscriptPassage, ...]):
    """Cited moments choose, in the order of the video; without one inside a passage those count that bear on the question."""
    assert resting(AnswerRecord(passages=(SECOND, FAR, FIRST), moments=moments)) == expected


def test_a_passage_that_lasts_no_time_is_found_at_its_start():
    """A transcript without times has passages at zero that a moment can still name."""
    still = TranscriptPassage(segments=(TranscriptSegment(0, 0, "글"),), score=0.0)
    assert resting(AnswerRecord(passages=(still,), moments=(0.0,))) == (still,)


def test_without_an_answer_the_video_is_asked():
    """The passages that bear on the question are chosen; for one that the video does not speak of there is none."""
    said = passages_to_check(asking("HBM4 표준의 대역폭은 얼마야?", hbm()), None, scorer())
    assert any("최대 2테라바이트" in each.text for each in said)
    assert list(said) == sorted(said, key=lambda each: each.start_s)
    assert passages_to_check(asking("김치찌개에 무엇을 넣나요?", hbm()), None, scorer()) == ()


def test_without_a_video_there_is_nothing_to_rest_on():
    """Passages of an answer whose video is gone are not compared."""
    assert passages_to_check(asking("질문"), AnswerRecord(passages=(FIRST,), moments=(10.0,)), scorer()) == ()


def test_each_row_stands_where_its_sentence_begins():
    """Two sentences of one passage have two moments, also one that begins in the middle of a caption and goes on in the next."""
    said = passage(
        300.0,
        "한빛반도체의 세계 D램 점유율은 34퍼센트예요. 한빛반도체의 1분기",
        "매출은 12조 원이에요. 고맙습니다.",
        "한빛반도체의 직원은 3만 명이에요.",
    )
    video = VideoContext(title="한빛반도체 이야기", transcript=said.segments)
    sources = [
        result("직원", url="https://a.example", snippet="한빛반도체의 직원은 3만 명이다."),
        result("매출", url="https://b.example", snippet="한빛반도체의 1분기 매출은 12조 원이다."),
    ]
    compared = compare_passages([said], sources, video, NOW, {})
    assert [(row.source, row.stance, row.moment_s) for row in compared.rows] == [
        (1, Stance.AGREE, 300.0),
        (0, Stance.AGREE, 320.0),
    ]
    assert compared.undated == compared.rows
