"""Videos whose words were recognised."""

from __future__ import annotations

import pytest

from search_core.domain import (
    Recogniser,
    RecogniserKind,
    Transcription,
    TranscriptOrigin,
    TranscriptSegment,
    UncertainReason,
    UncertainStretch,
    VideoContext,
)
from search_core.errors import VideoReadError
from search_core.video import to_mapping, transcribed_video

HEARD = Transcription(
    segments=(
        TranscriptSegment(0.0, 4.0, "SK하이닉스가 HBM4를 발표했습니다."),
        TranscriptSegment(4.0, 6.0, "감사합니다 감사합니다"),
        TranscriptSegment(8.0, 12.0, "SK하이닉스의 메모리 대역폭입니다."),
    ),
    recogniser=Recogniser(RecogniserKind.LOCAL, "large-v3"),
    language="ko",
    duration_s=60.0,
    uncertain=(
        UncertainStretch(4.0, 6.0, UncertainReason.REPEATED),
        UncertainStretch(7.0, 13.0, UncertainReason.UNHEARD),
    ),
    warnings=("끝이 잘린 파일이에요.",),
)


def test_a_recording_becomes_a_video():
    """It is titled by its file, knows its source, its doubts and what was not heard, and has the names that are said."""
    video = transcribed_video(HEARD, name="가을 발표.mp4")
    assert (video.title, video.title_is_file_name, video.duration_s, video.language) == ("가을 발표", True, 60.0, "ko")
    assert (video.transcript_origin, video.transcript_model) == (TranscriptOrigin.RECOGNITION, "large-v3")
    assert [segment.uncertain for segment in video.transcript] == [False, True, False]
    assert video.warnings == ("끝이 잘린 파일이에요.", "받아 적지 못한 곳이 있어요: 00:07–00:13")
    assert "SK하이닉스" in video.organizations
    assert VideoContext.from_mapping(to_mapping(video)) == video


def test_what_is_known_of_a_video_stays():
    """Title, date and length are those of the video, also of a file that yt-dlp named; the warning about its captions goes."""
    download = transcribed_video(HEARD, name="가을 발표 [abcDEF12_-3].webm")
    assert (download.title, download.video_id) == ("가을 발표", "abcDEF12_-3")
    known = VideoContext(video_id="abcDEF12_-3", title="발표", duration_s=61.0, warnings=("자막이 없어요.",))
    video = transcribed_video(HEARD, known=known)
    assert (video.video_id, video.title, video.duration_s) == ("abcDEF12_-3", "발표", 61.0)
    assert "자막이 없어요." not in video.warnings


def test_a_sound_without_speech_is_no_video():
    """Where nobody speaks there is nothing to ask about, and the sentence says so."""
    silent = Transcription(segments=(), recogniser=HEARD.recogniser, language="", duration_s=60.0)
    with pytest.raises(VideoReadError) as caught:
        transcribed_video(silent, name="a.mp4")
    assert "말을 찾지 못했어요" in caught.value.korean
