"""Which video is which."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain.video import TranscriptSegment, VideoContext, video_key
from tests.search_core.storage.sample_records import VIDEO

UPLOAD = VideoContext(title="회의", transcript=(TranscriptSegment(0.0, 1.0, "시작합니다"), TranscriptSegment(1.0, 2.0, "네")))


@pytest.mark.parametrize("video", [VIDEO, replace(VIDEO, video_id=""), UPLOAD], ids=["id", "url", "upload"])
def test_what_the_user_puts_right_leaves_the_video_the_same(video: VideoContext):
    """Another title, other speakers or a description make no other video of one with an id, an address or a transcript."""
    edited = replace(video, title="바로잡은 제목", speakers=("박세나",), description="새 설명")
    assert video_key(edited) == video_key(video)


def test_other_videos_have_other_keys():
    """Id, address, what is said and, where there is nothing else, the title tell videos apart."""
    shifted = replace(UPLOAD, transcript=(TranscriptSegment(0.0, 1.0, "시작합니다 네"),))
    videos = [
        VIDEO,
        replace(VIDEO, video_id="abcDEF12346"),
        replace(VIDEO, video_id=""),
        replace(VIDEO, video_id="", url="https://vimeo.example/1"),
        UPLOAD,
        shifted,
        VideoContext(title="하나"),
        VideoContext(title="\ud800"),
    ]
    assert len({video_key(video) for video in videos}) == len(videos)
