"""Plain texts and pasted transcripts."""

from __future__ import annotations

import pytest

from search_core.domain import TranscriptSegment as Segment
from search_core.video.plain_text import NO_TIMES, read_plain_text

TIMED = (Segment(0.0, 5.0, "안녕하세요"), Segment(5.0, 65.0, "메모리를 봅니다"), Segment(65.0, 65.0, "고맙습니다"))


@pytest.mark.parametrize(
    "source",
    [
        "0:00\n안녕하세요\n0:05\n메모리를 봅니다\n1:05\n고맙습니다",
        "0:00 안녕하세요\n0:05 메모리를 봅니다\n1:05 고맙습니다",
        "[00:00] 안녕하세요\n\n[00:05] 메모리를 봅니다\n\n[01:05] 고맙습니다",
        "(00:00:00) 안녕하세요\n(00:00:05) 메모리를\n봅니다\n(00:01:05) 고맙습니다",
    ],
)
def test_pasted_transcripts_keep_their_times(source):
    """Transcripts copied from a page keep the times in front of their lines."""
    assert read_plain_text(source).segments == TIMED


def test_turns_under_a_speaker_and_a_time():
    """Speech notes with a speaker and a time above each turn give times and the named speakers."""
    found = read_plain_text("김하늘 00:00\n안녕하세요\n\n참석자 2 00:05\n메모리를 봅니다\n\n김하늘 01:05\n고맙습니다")
    assert found.segments == TIMED
    assert found.speakers == ("김하늘",)
    assert found.warnings == ()


def test_prose_has_no_times():
    """Prose is split into readable pieces, long paragraphs at their sentences, and says that it has no times."""
    sentence = "이 문장은 마흔 자가 조금 안 되는 길이로 쓰인 보기 문장입니다."
    found = read_plain_text(" ".join([sentence] * 12))
    assert all(segment.start_s == segment.end_s == 0.0 and len(segment.text) <= 200 for segment in found.segments)
    assert sum(segment.text.count("보기") for segment in found.segments) == 12
    assert found.warnings == (NO_TIMES,)


def test_a_few_times_in_prose_are_no_transcript():
    """Prose that opens two lines with a time stays prose."""
    assert read_plain_text("9:00 회의가 있었다.\n나머지는 글이다.\n또 글이다.\n10:30 끝났다.").warnings == (NO_TIMES,)
