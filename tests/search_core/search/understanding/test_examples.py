from __future__ import annotations

import pytest

from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.video.readers import OF_WHOLE, example_questions

SAID = (TranscriptSegment(0, 9, "대역폭이 늘었습니다. 대역폭은 HBM4가 정합니다."),)


@pytest.mark.parametrize(
    ("video", "offered"),
    [
        (VideoContext(subject=("백신", "집단 감염")), (OF_WHOLE, "백신 최근 소식은?", "집단 감염에 대해 더 알려줘")),
        (VideoContext(video_id="sample-hbm", subject=("메모리",)), (OF_WHOLE, "메모리 최근 소식은?")),
        (VideoContext(title="최종_v2.srt", file_title="최종_v2.srt"), (OF_WHOLE,)),
    ],
)
def test_questions_are_made_of_the_subjects(video: VideoContext, offered: tuple[str, ...]):
    """What the video is about is asked for; a file's name is no subject, nor is an id of a sample that it is not."""
    assert example_questions(video) == offered


def test_the_subject_is_found_in_what_is_said():
    """Without a title and a stated subject the words tell."""
    assert "HBM4 최근 소식은?" in example_questions(VideoContext(transcript=SAID))
