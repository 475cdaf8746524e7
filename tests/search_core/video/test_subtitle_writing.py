"""Subtitle files of ours, read back by the reader of all others."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from search_core.domain import TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.video import read_upload
from search_core.video.cues import read_subtitles
from search_core.video.subtitle_writing import write_srt, write_vtt

VIDEO = VideoContext(
    title="강연",
    language="ko",
    transcript=(
        TranscriptSegment(1.5, 4.0, "메모리 <b>대역폭</b> & 전력"),
        TranscriptSegment(3723.004, 3724.0, "감사합니다", uncertain=True),
    ),
    transcript_origin=TranscriptOrigin.RECOGNITION,
    transcript_model="whisper-1",
)
VTT = """WEBVTT
Kind: captions
Language: ko

NOTE Speech recognition: whisper-1

00:00:01.500 --> 00:00:04.000
메모리 &lt;b&gt;대역폭&lt;/b&gt; &amp; 전력

01:02:03.004 --> 01:02:04.000
<c.uncertain>감사합니다</c>
"""
SRT = """1
00:00:01,500 --> 00:00:04,000
메모리 <b>대역폭</b> & 전력

2
01:02:03,004 --> 01:02:04,000
감사합니다
"""


def test_files_keep_words_moments_marks_and_source():
    """WebVTT is as the format has it, and read again it is the same transcript of the same recogniser; SubRip has less.

    Only recognised speech has the note.
    """
    assert write_vtt(VIDEO) == VTT
    again = read_upload("강연.vtt", VTT.encode())
    assert (again.transcript, again.language) == (VIDEO.transcript, "ko")
    assert (again.transcript_origin, again.transcript_model) == (TranscriptOrigin.RECOGNITION, "whisper-1")
    assert write_srt(VIDEO) == SRT
    assert "NOTE" not in write_vtt(replace(VIDEO, transcript_origin=TranscriptOrigin.PEOPLE))


@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5))
def test_no_words_break_out_of_their_caption(texts: list[str]):
    """Arrows, line breaks and markup in what was heard make no captions, and no note, of their own."""
    segments = tuple(TranscriptSegment(float(2 * at), 2.0 * at + 1, text) for at, text in enumerate(texts))
    found = read_subtitles(write_vtt(VideoContext(transcript=segments, transcript_model="x")))
    assert {segment.start_s for segment in found.segments} <= {2.0 * at for at in range(len(texts))}
    assert len(found.segments) <= len(texts)
    assert found.origin is not TranscriptOrigin.RECOGNITION
