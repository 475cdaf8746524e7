from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain import TranscriptSegment, VideoContext
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


PARKS = VideoContext(
    key_terms=("지리산", "설악산"),
    organizations=("국립공원공단",),
    transcript=(
        TranscriptSegment(0, 5, "안녕하세요. 지리산은 참 큽니다."),
        TranscriptSegment(5, 9, "지리산의 높이는 1,915미터입니다. 그 산은 1967년에"),
        TranscriptSegment(9, 14, "국립공원이 되었습니다. 설악산은 1970년에 국립공원이 되었습니다."),
        TranscriptSegment(14, 19, "국립공원공단은 산을 돌봅니다. 국립공원공단에는 직원이 많습니다."),
    ),
)


@pytest.mark.parametrize(
    ("video", "offered"),
    [
        (IMPOSTOR, ("메모리에 대해 뭐라고 하나?", VAGUE)),
        (MUSEUM, ("정인지는 누구인가?", "한글날은 무엇인가?", "국립한글박물관에 대해 뭐라고 하나?", VAGUE)),
        (NARRATED, ("서도윤은 누구인가?", VAGUE)),
        (VideoContext(key_terms=("revenue", "HBM4")), ("HBM4에 대해 뭐라고 하나?", VAGUE)),
        (VideoContext(key_terms=("가격", "robot")), (VAGUE,)),
        (
            PARKS,
            ("지리산의 높이는 몇 미터인가?", "설악산은 언제 국립공원이 됐나?", "국립공원공단에 대해 뭐라고 하나?", VAGUE),
        ),
        (replace(PARKS, organizations=("엔비디아",), transcript=PARKS.transcript[:1]), ("지리산에 대해 뭐라고 하나?", VAGUE)),
    ],
)
def test_questions_are_made_of_what_is_said_and_of_names(video: VideoContext, offered: tuple[str, ...]):
    """Figures and days that are said are asked for, people, events and institutions spoken of, and no property or narrator."""
    assert example_questions(video) == offered
