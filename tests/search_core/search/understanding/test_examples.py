from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain import TranscriptSegment, VideoContext
from search_core.search.understanding.examples import MAX_EXAMPLES, VAGUE, example_questions
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


FULL = VideoContext(title="서도윤의 강연", key_terms=("대역폭",), speakers=("서도윤",), events=("GTC",), organizations=("JEDEC",))
NARRATED = VideoContext(
    description="내레이터 서도윤", key_terms=("내레이터", "진행자", "대역폭"), speakers=("내레이터", "서도윤")
)
MUSEUM = VideoContext(channel="정인지", organizations=("국립한글박물관",), events=("한글날",), speakers=("정인지",))
NEWS = VideoContext(
    channel="한빛뉴스",
    key_terms=("백신", "집단 감염"),
    speakers=("서도윤", "정인지"),
    organizations=("경찰", "한빛뉴스", "엔비디아"),
    transcript=(
        TranscriptSegment(0, 9, "경찰이 찾습니다. 경찰은 엔비디아, 엔비디아에 물었습니다. 한빛뉴스 서도윤입니다. 한빛뉴스."),
    ),
)
IMPOSTOR = VideoContext(video_id="sample-hbm", title="메모리", key_terms=("메모리",))


UPLOADED = VideoContext(
    title="서도윤_GTC_최종",
    file_title="서도윤_GTC_최종",
    speakers=("서도윤",),
    events=("GTC",),
    key_terms=("최종", "대역폭"),
    transcript=(TranscriptSegment(0, 9, "대역폭이 늘었습니다."),),
)


@pytest.mark.parametrize(
    ("video", "offered"),
    [
        (IMPOSTOR, ("메모리에 대해 뭐라고 하나?", VAGUE)),
        (MUSEUM, ("정인지는 누구인가?", "한글날은 무엇인가?", "국립한글박물관에 대해 뭐라고 하나?", VAGUE)),
        (NEWS, ("엔비디아에 대해 뭐라고 하나?", "집단 감염에 대해 뭐라고 하나?", VAGUE)),
        (NARRATED, ("서도윤은 누구인가?", VAGUE)),
        (VideoContext(key_terms=("revenue", "HBM4")), ("HBM4에 대해 뭐라고 하나?", VAGUE)),
        (VideoContext(key_terms=("가격", "robot")), (VAGUE,)),
        (UPLOADED, ("대역폭에 대해 뭐라고 하나?", VAGUE)),
        (replace(UPLOADED, title="", file_title=""), ("GTC는 무엇인가?", VAGUE)),
    ],
)
def test_questions_are_made_of_names(video: VideoContext, offered: tuple[str, ...]):
    """People who are announced, events, institutions and things are asked about, and none that a file's name alone gives."""
    assert example_questions(video) == offered
