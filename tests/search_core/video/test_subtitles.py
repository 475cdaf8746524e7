"""Subtitles and plain texts as segments, and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain.video import TranscriptOrigin, VideoContext
from search_core.domain.video import TranscriptSegment as Segment
from search_core.video.forms import read_text
from search_core.video.readers import read_upload
from search_core.video.subtitles import read_subtitles, write_vtt

VIDEO = VideoContext(
    title="강연",
    language="ko",
    transcript=(
        Segment(1.5, 4.0, "메모리 <b>대역폭</b> & 전력"),
        Segment(3723.004, 3724.0, "감사합니다", uncertain=True),
    ),
    transcript_origin=TranscriptOrigin.RECOGNITION,
    transcript_model="whisper-1",
)
WRITTEN_VTT = """WEBVTT
Kind: captions
Language: ko

NOTE Speech recognition: whisper-1

00:00:01.500 --> 00:00:04.000
메모리 &lt;b&gt;대역폭&lt;/b&gt; &amp; 전력

01:02:03.004 --> 01:02:04.000
<c.uncertain>감사합니다</c>
"""


def texts(source):
    return [segment.text for segment in read_subtitles(source).transcript]


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
    assert read_subtitles(f"1\n{line}\n말\n").transcript == (Segment(1.0, 2.5, "말"),)


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
    assert found.transcript == segments
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
Language: ko

NOTE 00:05 지점 확인
여러 줄

STYLE
::cue { color: white }

머리말-1
00:01.000 --> 00:02.000 align:start position:0%
<v 김하늘>안녕하세요 <c.yellow>여러분</c></v>

00:02.000 --> 00:03.000
<v.loud Jane O&#39;Neil>Hello</v>
"""


def test_webvtt_voices_become_speakers_and_notes_go():
    """Voice tags give the speakers; notes, styles and identifiers never become words."""
    found = read_subtitles(VTT)
    assert [segment.text for segment in found.transcript] == ["안녕하세요 여러분", "Hello"]
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
    found = read_subtitles(ROLLING).transcript
    assert [segment.text for segment in found] == ["오늘은 메모리", "대역폭을 봅니다", "시작할게요"]
    assert [segment.start_s for segment in found] == [0.0, 2.01, 4.01]
    words = ["네", "네", "아니요", "왜요", "음"]
    cues = "".join(f"{i}\n00:00:{i:02d},000 --> 00:00:{i:02d},900\n{word}\n\n" for i, word in enumerate(words, 1))
    assert texts(cues) == words


@pytest.mark.parametrize(
    ("text", "words", "speakers"),
    [
        (
            "JANE DOE: It rose by 5%.\nHOST: Why?\nJANE DOE: It did.\nFor years.",
            "It rose by 5%. Why? It did. For years.",
            ("JANE DOE",),
        ),
        (
            "김하늘: 값이 5% 올랐습니다.\n진행자: 왜요?\n김하늘: 네.\n진행자: 음.",
            "값이 5% 올랐습니다. 왜요? 네. 음.",
            ("김하늘",),
        ),
        ("결론: 값이 올랐다.\n그래서 줄었다.\n주의: 예외가 있다.", "결론: 값이 올랐다. 그래서 줄었다. 주의: 예외가 있다.", ()),
        (
            "Note: it fell.\nIt rose.\nNote: it fell.\nAnd rose.\nEnd.",
            "Note: it fell. It rose. Note: it fell. And rose. End.",
            (),
        ),
    ],
)
def test_a_speaker_before_a_colon_is_no_word(text: str, words: str, speakers: tuple[str, ...]):
    """Names before turns become speakers and leave the words; roles are nobody's name, and labels of prose stay in it."""
    found = read_text(text)
    assert (" ".join(segment.text for segment in found.transcript), found.speakers) == (words, speakers)


CAPTIONS = (
    "최영란: 벌은 꽃가루를 나릅니다.\n그래서 열매가 맺히지요.",
    ">> 최영란: 겨울이 따뜻해졌습니다.",
    "[김하늘] 벌통이 비었나요?",
    "- 최영란 교수: 팔십 개가 비었습니다.\n- 진행자: 네.",
    "결론: 꽃을 심읍시다.\n진행자: 고맙습니다.",
)


@pytest.mark.parametrize("opening", ["", "WEBVTT\n\n"])
def test_a_name_before_a_turn_of_captions_is_a_speaker(opening):
    """A full name before a colon or in brackets speaks and is no word, with its title or without; other labels are words."""
    cues = [f"00:0{place}:00,000 --> 00:0{place}:05,000\n{said}" for place, said in enumerate(CAPTIONS)]
    found = read_subtitles(opening + "\n\n".join(cues) + "\n")
    assert found.speakers == ("최영란", "김하늘")
    assert [segment.text for segment in found.transcript] == [
        "벌은 꽃가루를 나릅니다. 그래서 열매가 맺히지요.",
        "겨울이 따뜻해졌습니다.",
        "벌통이 비었나요?",
        "팔십 개가 비었습니다. 네.",
        "결론: 꽃을 심읍시다. 고맙습니다.",
    ]


def test_files_keep_words_moments_marks_and_source():
    """WebVTT is as the format has it, and read again the same transcript of the same recogniser; only that has the note."""
    assert write_vtt(VIDEO) == WRITTEN_VTT
    again = read_upload("강연.vtt", WRITTEN_VTT.encode())
    assert (again.transcript, again.language) == (VIDEO.transcript, "ko")
    assert (again.transcript_origin, again.transcript_model) == (TranscriptOrigin.RECOGNITION, "whisper-1")
    assert "NOTE" not in write_vtt(replace(VIDEO, transcript_origin=TranscriptOrigin.PEOPLE))


@pytest.mark.parametrize("words", ["1:00 → 2:00 회의", "0:10 -> 0:20", "12:41 –> 13:00"])
def test_words_with_times_and_an_arrow_are_kept(words):
    """A caption whose words look like a timing line is read back as it was written."""
    spoken = (Segment(1.0, 2.0, "앞"), Segment(3.0, 4.0, words), Segment(5.0, 6.0, "뒤"))
    assert read_subtitles(write_vtt(VideoContext(transcript=spoken))).transcript == spoken


@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5))
def test_no_words_break_out_of_their_caption(texts: list[str]):
    """Arrows, line breaks and markup in what was heard make no captions, and no note, of their own."""
    segments = tuple(Segment(float(2 * at), 2.0 * at + 1, text) for at, text in enumerate(texts))
    found = read_subtitles(write_vtt(VideoContext(transcript=segments, transcript_model="x")))
    assert {segment.start_s for segment in found.transcript} <= {2.0 * at for at in range(len(texts))}
    assert len(found.transcript) <= len(texts)
    assert found.transcript_origin is not TranscriptOrigin.RECOGNITION
