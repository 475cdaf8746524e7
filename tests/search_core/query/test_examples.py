from __future__ import annotations

import pytest

from search_core.domain import VideoContext
from search_core.query.examples import MAX_EXAMPLES, VAGUE, example_questions
from search_core.video import sample_questions, samples


@pytest.mark.parametrize("video", samples(), ids=lambda video: video.video_id)
def test_a_sample_has_questions_of_its_own(video: VideoContext):
    """What is written beside a sample is offered, four questions in Korean."""
    assert example_questions(video) == sample_questions(video.video_id)
    assert len(example_questions(video)) == MAX_EXAMPLES


def test_another_video_with_the_id_of_a_sample_gets_none_of_them():
    """Only the shipped video is the sample; an upload may carry its id."""
    video = VideoContext(video_id="sample-hbm", title="메모리", key_terms=("메모리",))
    assert example_questions(video) == ("메모리는 왜 중요한가?", VAGUE)


def test_an_institution_is_no_company():
    """A museum is asked what it does, not for its figures."""
    questions = example_questions(VideoContext(organizations=("국립한글박물관",), events=("한글날",), speakers=("정인지",)))
    assert questions == ("정인지는 누구인가?", "한글날은 무엇인가?", "국립한글박물관은 무엇을 하나?", VAGUE)


@pytest.mark.parametrize(
    ("terms", "first"),
    [
        (("가격", "빠르게", "대역폭"), "대역폭은 왜 중요한가?"),
        (("infrared",), "infrared는 왜 중요한가?"),
        (("revenue", "HBM4"), "HBM4는 왜 중요한가?"),
        (("가격",), VAGUE),
    ],
)
def test_only_things_are_asked_for_their_weight(terms: tuple[str, ...], first: str):
    """A property or an adverb makes a silly question; English terms are fine."""
    assert example_questions(VideoContext(key_terms=terms))[0] == first


def test_nobody_asks_why_the_narrator_matters():
    """Who speaks in any video is no subject of one, as a term or as a speaker."""
    video = VideoContext(key_terms=("내레이터", "진행자", "대역폭"), speakers=("내레이터", "서도윤"))
    assert example_questions(video) == ("대역폭은 왜 중요한가?", "서도윤은 누구인가?", VAGUE)


def test_no_sample_asks_for_more_of_nothing():
    """A bare wish for more, or a person nobody named, says nothing to who has not seen the video."""
    offered = [question for video in samples() for question in example_questions(video)]
    assert not [question for question in offered if "더 자세히" in question or question.startswith("그 ")]


def test_there_are_never_too_many():
    """With every kind of name there, the vague question stays."""
    full = VideoContext(key_terms=("대역폭",), speakers=("서도윤",), events=("GTC",), organizations=("JEDEC",))
    assert len(example_questions(full)) == MAX_EXAMPLES
    assert example_questions(full)[-1] == VAGUE


def test_without_a_video_there_are_examples():
    """The sample library answers something without any video."""
    assert example_questions(None)
