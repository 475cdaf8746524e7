"""SRT and WebVTT, sound and broken."""

from __future__ import annotations

import pytest

from search_core.domain import TranscriptSegment as Segment
from search_core.video.cues import read_subtitles

SRT = """1
00:00:01,000 --> 00:00:02,500
안녕하세요

2
00:00:03,000 --> 00:00:04,000
두 줄로 된
자막이에요
"""


def texts(source):
    return [segment.text for segment in read_subtitles(source).segments]


def test_srt_cues_have_times_and_words():
    """A well-formed SRT file gives its cues in seconds, lines joined by a space."""
    found = read_subtitles(SRT)
    assert found.segments == (Segment(1.0, 2.5, "안녕하세요"), Segment(3.0, 4.0, "두 줄로 된 자막이에요"))
    assert found.warnings == ()


@pytest.mark.parametrize(
    "line",
    [
        "00:00:01,000 --> 00:00:02,500",
        "0:00:01,0 --> 0:00:02,5",
        "00:01.000 --> 00:02.500",
        "00:00:01,000 -> 00:00:02,500",
        "00 : 00 : 01,000 --> 00 : 00 : 02,500",
        "00:00:01,000 --> 00:00:02,500 X1:100 X2:200 Y1:10 Y2:20",
    ],
)
def test_times_are_read_in_all_spellings(line):
    """Comma, dot or colon before the fraction, missing hours, short arrows, spaces and cue settings are read alike."""
    assert read_subtitles(f"1\n{line}\n말\n").segments == (Segment(1.0, 2.5, "말"),)


def test_numbers_and_blank_lines_are_no_words():
    """Cues without numbers, or blank lines, are read; a number that is said stays, and words after a blank line."""
    assert texts("00:00:01,000 --> 00:00:02,000\n하나\n\n00:00:02,000 --> 00:00:03,000\n둘\n") == ["하나", "둘"]
    assert texts("1\n00:00:01,000 --> 00:00:02,000\n하나\n2\n00:00:02,000 --> 00:00:03,000\n둘\n") == ["하나", "둘"]
    source = "1\n00:00:01,000 --> 00:00:02,000\n그해는\n1984\n\n2\n00:00:02,000 --> 00:00:03,000\n2026\n"
    assert texts(source) == ["그해는 1984", "2026"]
    assert texts("1\n00:00:01,000 --> 00:00:02,000\n하나\n\n둘\n\n2\n00:00:03,000 --> 00:00:04,000\n셋\n") == ["하나 둘", "셋"]


ODD_TIMES = {
    "two speak at once": (
        "1\n00:00:01,000 --> 00:00:05,000\n하나\n\n2\n00:00:02,000 --> 00:00:03,000\n둘\n",
        (Segment(1.0, 5.0, "하나"), Segment(2.0, 3.0, "둘")),
        "",
    ),
    "out of order": (
        "1\n00:00:09,000 --> 00:00:10,000\n뒤\n\n2\n00:00:01,000 --> 00:00:02,000\n앞\n",
        (Segment(1.0, 2.0, "앞"), Segment(9.0, 10.0, "뒤")),
        "순서",
    ),
    "ends before it begins": (
        "1\n00:00:05,000 --> 00:00:02,000\n하나\n\n2\n00:00:08,000 --> 00:00:09,000\n둘\n",
        (Segment(5.0, 8.0, "하나"), Segment(8.0, 9.0, "둘")),
        "자막이 1개",
    ),
    "cannot be read": (
        "1\n00:00:01,000 --> 00:00:02,000\n하나\n\n2\n0a:bb:cc --> 1d:ee\n둘\n\n3\n00:00:08,000 -->\n셋\n",
        (Segment(1.0, 2.0, "하나"), Segment(2.0, 8.0, "둘"), Segment(8.0, 8.0, "셋")),
        "자막이 2개",
    ),
}


@pytest.mark.parametrize("case", ODD_TIMES)
def test_odd_times_keep_the_words_and_are_told(case):
    """Cues are in order of their start, each lasts to the next where its end is wrong, and a warning says what was put right."""
    source, segments, words = ODD_TIMES[case]
    found = read_subtitles(source)
    assert found.segments == segments
    assert [words in warning for warning in found.warnings] == ([True] if words else [])


def test_markup_and_sounds_are_left_out():
    """Tags, override codes, entities and what describes a sound do not reach the words; words in brackets and signs do."""
    source = "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<i>A &amp; B</i> <font color='#fff'>3 < 5</font>&nbsp;&gt;&gt; C\n"
    assert texts(source) == ["A & B 3 < 5 >> C"]
    for sound in ("[음악]", "(박수)", "[ Music ]", "♪♪", "♪ [음악] ♪"):
        source = f"1\n00:00:01,000 --> 00:00:02,000\n{sound}\n\n2\n00:00:02,000 --> 00:00:03,000\n{sound} 네, 그래요\n"
        assert texts(source) == ["네, 그래요"]
    assert texts("1\n00:00:01,000 --> 00:00:02,000\n[서울대] 합격 (2위)\n") == ["[서울대] 합격 (2위)"]


VTT = """WEBVTT
Kind: captions
Language: ko

NOTE 손으로 고침
여러 줄

STYLE
::cue { color: white }

머리말-1
00:01.000 --> 00:02.000 align:start position:0%
<v 김하늘>안녕하세요 <c.yellow>여러분</c></v>

NOTE 00:05 지점 확인

00:02.000 --> 00:03.000
<v.loud Jane O&#39;Neil>Hello</v>
"""


def test_webvtt_voices_become_speakers_and_notes_go():
    """Voice tags give the speakers; notes, styles and identifiers never become words."""
    found = read_subtitles(VTT)
    assert [segment.text for segment in found.segments] == ["안녕하세요 여러분", "Hello"]
    assert found.speakers == ("김하늘", "Jane O'Neil")
    assert found.language == "ko"


ROLLED = (
    ("00:00:00.000 --> 00:00:02.000", " ", "오늘은<00:00:00.500><c> 메모리</c>"),
    ("00:00:02.000 --> 00:00:02.010", "오늘은 메모리", " "),
    ("00:00:02.010 --> 00:00:04.000", "오늘은 메모리", "대역폭을<00:00:03.000><c> 봅니다</c>"),
    ("00:00:04.000 --> 00:00:04.010", "대역폭을 봅니다", " "),
    ("00:00:04.010 --> 00:00:06.000", "대역폭을 봅니다", "시작할게요"),
)
ROLLING = "WEBVTT\n\n" + "\n\n".join("\n".join(cue) for cue in ROLLED)


def test_rolling_captions_are_said_once():
    """The doubled lines of automatic captions appear only where they are first said; people may repeat themselves."""
    found = read_subtitles(ROLLING).segments
    assert [segment.text for segment in found] == ["오늘은 메모리", "대역폭을 봅니다", "시작할게요"]
    assert [segment.start_s for segment in found] == [0.0, 2.01, 4.01]
    words = ["네", "네", "아니요", "왜요", "음"]
    cues = "".join(f"{i}\n00:00:{i:02d},000 --> 00:00:{i:02d},900\n{word}\n\n" for i, word in enumerate(words, 1))
    assert texts(cues) == words


def test_streams_cut_into_pieces_are_joined():
    """Joined pieces of a stream, each with its own header and the crossing cue twice, give each cue once."""
    piece = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:181083,LOCAL:00:00:00.000\n\n00:01.000 --> 00:02.000\n하나\n"
    source = piece + "\n" + piece + "\n00:02.000 --> 00:03.000\n둘\n"
    assert texts(source) == ["하나", "둘"]
