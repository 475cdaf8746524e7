"""Files read in a process of their own: what comes back, and what is said when nothing does."""

from __future__ import annotations

import pytest

from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.errors import VideoReadError
from search_core.video.readers import OF_WHOLE, example_questions, read_upload
from search_core.video.upload import VideoUpload, parse_file
from tests.loopback.child_processes import running_children

SRT = "1\n00:00:01,000 --> 00:00:02,000\n한지우 교수가 HBM4 대역폭을 설명합니다\n"
TALK = '{"title": "대역폭 강연", "upload_date": "20240102", "description": "가\\n나"}'


@pytest.mark.parametrize(
    "given",
    [
        VideoUpload("강연.info.json", TALK.encode(), ("강연.srt", SRT.encode())),
        VideoUpload("강연.info.json", TALK.encode(), ("강연.srt", b"\x89PNG")),
        VideoUpload("메모.txt", "글이에요. 또 글이에요.".encode("cp949")),
    ],
)
def test_a_video_crosses_the_border_whole(given: VideoUpload):
    """What the process reads is what reading it here gives."""
    assert read_upload(given.name, given.data, given.companion) == parse_file(given)


def test_what_is_wrong_with_a_file_crosses_the_border():
    """A refusal comes back with both of its sentences."""
    with pytest.raises(VideoReadError, match="has no timing line") as caught:
        read_upload("a.srt", "그냥 글이에요".encode())
    assert "시간이 하나도 없어요" in caught.value.korean


def test_the_process_that_reads_files_holds_no_language_tools():
    """It takes less than 150 MiB; what a video is about is found in this process, which has them."""
    assert read_upload("a.srt", SRT.encode()).transcript
    (child,) = running_children("serve_uploads")
    assert child.memory_info().rss < 150 << 20


TOLD = (TranscriptSegment(0, 9, "대역폭이 늘었습니다. 대역폭은 HBM4가 정합니다."),)


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
    assert "HBM4 최근 소식은?" in example_questions(VideoContext(transcript=TOLD))
