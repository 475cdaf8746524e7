from __future__ import annotations

import pytest

from search_core.domain import VideoContext
from search_core.search.query.examples import MAX_EXAMPLES, VAGUE, example_questions
from search_core.video import sample_questions, samples


def test_a_sample_has_questions_of_its_own():
    """The four questions written beside a sample are offered, none a bare wish for more; without a video there are some too."""
    for video in samples():
        offered = example_questions(video)
        assert offered == sample_questions(video.video_id)
        assert len(offered) == MAX_EXAMPLES
        assert not [question for question in offered if "더 자세히" in question or question.startswith("그 ")]
    assert example_questions(None)
    assert (len(example_questions(FULL)), example_questions(FULL)[-1]) == (MAX_EXAMPLES, VAGUE)


FULL = VideoContext(key_terms=("대역폭",), speakers=("서도윤",), events=("GTC",), organizations=("JEDEC",))
NARRATED = VideoContext(key_terms=("내레이터", "진행자", "대역폭"), speakers=("내레이터", "서도윤"))
MUSEUM = VideoContext(organizations=("국립한글박물관",), events=("한글날",), speakers=("정인지",))
IMPOSTOR = VideoContext(video_id="sample-hbm", title="메모리", key_terms=("메모리",))


@pytest.mark.parametrize(
    ("video", "offered"),
    [
        (IMPOSTOR, ("메모리는 왜 중요한가?", VAGUE)),
        (MUSEUM, ("정인지는 누구인가?", "한글날은 무엇인가?", "국립한글박물관은 무엇을 하나?", VAGUE)),
        (NARRATED, ("대역폭은 왜 중요한가?", "서도윤은 누구인가?", VAGUE)),
        (VideoContext(key_terms=("revenue", "HBM4")), ("HBM4는 왜 중요한가?", VAGUE)),
        (VideoContext(key_terms=("가격",)), (VAGUE,)),
    ],
)
def test_questions_are_made_from_names_and_terms(video: VideoContext, offered: tuple[str, ...]):
    """Things, people, events and institutions are asked about, never a property, an adverb or a narrator."""
    assert example_questions(video) == offered
