"""Files of every kind, good and bad, as users give them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from search_core.domain.transcription import Recogniser, RecogniserKind, Transcription
from search_core.domain.video import Chapter, TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.errors import VideoReadError
from search_core.video.mapping import to_mapping
from search_core.video.readers import read_upload
from search_core.video.upload import transcribed_video

SRT = "1\n00:00:01,000 --> 00:00:02,000\n메모리 대역폭을 설명할게요\n\n2\n00:00:03,000 --> 00:00:04,500\n다음 장면이에요\n"
RECORD = {
    "id": "abcDEF12_-3",
    "title": "대역폭 강연",
    "channel": "메모리 채널",
    "description": "강연 기록\n0:00 시작\n1:30 대역폭\n12:05 정리",
    "upload_date": "20240102",
    "duration": 800,
    "webpage_url": "https://www.youtube.com/watch?v=abcDEF12_-3",
    "url": "https://media.example/stream",
    "chapters": None,
    "extractor_key": "Youtube",
}
HEARD = Transcription(
    segments=(
        TranscriptSegment(0.0, 4.0, "SK하이닉스가 HBM4를 발표했습니다."),
        TranscriptSegment(4.0, 6.0, "감사합니다 감사합니다", uncertain=True),
        TranscriptSegment(8.0, 12.0, "SK하이닉스의 메모리 대역폭입니다."),
    ),
    recogniser=Recogniser(RecogniserKind.LOCAL, "large-v3"),
    language="ko",
    duration_s=60.0,
    unheard=((7.0, 13.0),),
    warnings=("끝이 잘린 파일이에요.",),
)


def record_bytes(**changes):
    return json.dumps({**RECORD, **changes}).encode()


def test_a_subtitle_file_is_a_video():
    """An upload gives transcript, length, language and the title of its file name; a download's name tells id and address."""
    video = read_upload("대역폭 강연.srt", SRT.encode())
    assert [segment.text for segment in video.transcript] == ["메모리 대역폭을 설명할게요", "다음 장면이에요"]
    assert (video.title, video.duration_s, video.language) == ("대역폭 강연", 4.5, "ko")
    download = read_upload("대역폭 강연 [abcDEF12_-3].ko.srt", SRT.encode())
    assert (download.title, download.video_id) == ("대역폭 강연", "abcDEF12_-3")
    assert download.url == "https://www.youtube.com/watch?v=abcDEF12_-3"


@pytest.mark.parametrize(
    ("name", "data", "only_a_file"),
    [
        ("2024_gpt.srt", SRT.encode(), True),
        ("KL2vgtBxsuc.ko.srt", SRT.encode(), True),
        ("대역폭 강연 [abcDEF12_-3].ko.srt", SRT.encode(), False),
        ("talk.info.json", record_bytes(title=None), True),
        ("talk.info.json", record_bytes(), False),
    ],
)
def test_a_title_that_is_only_the_name_of_a_file_is_known(name: str, data: bytes, only_a_file: bool):
    """It stays known through a mapping, until somebody gives a title; its words are no key terms."""
    video = read_upload(name, data)
    assert video.title_is_file_name is only_a_file
    assert VideoContext.from_mapping(to_mapping(video)).title_is_file_name is only_a_file
    assert not replace(video, title="메모리 이야기").title_is_file_name
    assert not {"gpt", "KL2vgtBxsuc"} & set(video.key_terms)


def test_a_record_with_its_subtitles():
    """A yt-dlp record and its subtitle file make one video, in either order."""
    first = read_upload("a.info.json", record_bytes(), ("a.ko.srt", SRT.encode()))
    second = read_upload("a.ko.srt", SRT.encode(), ("a.info.json", record_bytes()))
    assert first == second
    assert (first.title, first.channel, first.video_id) == ("대역폭 강연", "메모리 채널", "abcDEF12_-3")
    assert first.published_at == datetime(2024, 1, 2, tzinfo=UTC)
    assert first.chapters == (Chapter(0.0, "시작"), Chapter(90.0, "대역폭"), Chapter(725.0, "정리"))
    assert first.url == "https://www.youtube.com/watch?v=abcDEF12_-3"
    assert (len(first.transcript), first.duration_s) == (2, 800.0)


def test_a_record_that_is_not_whole_is_read_as_far_as_it_goes():
    """Of a playlist, and beside a subtitle file that is no text, a record stays usable, with a warning."""
    video = read_upload("a.info.json", record_bytes(_type="playlist"), ("a.srt", b"\x89PNG\r\n"))
    assert video.title == "대역폭 강연"
    for words in ("재생목록", "함께 준 파일을 쓰지 못했어요"):
        assert any(words in warning for warning in video.warnings)


@pytest.mark.parametrize("nothing", [None, [], {}, 0, "x" * 5, {"a": 1}])
def test_null_and_odd_fields_of_a_record_are_empty(nothing):
    """Any field of a record may be missing, null or of another shape."""
    fields = ["channel", "upload_date", "timestamp", "duration", "chapters", "language", "webpage_url", "maekrak"]
    video = read_upload("a.info.json", record_bytes(**dict.fromkeys(fields, nothing)))
    assert video.title == "대역폭 강연"
    assert video.chapters[1].start_s == 90.0


BAD = {
    "empty": ("a.srt", b"", "비어"),
    "too large": ("a.srt", b"a" * (20 * 1024 * 1024 + 1), "너무 커요"),
    "video": ("a.mp4", b"\x00\x00\x00\x20ftypisom" + bytes(40), "동영상"),
    "picture": ("a.srt", b"\x89PNG\r\n\x1a\n" + bytes(40), "그림"),
    "word": ("a.docx", b"PK\x03\x04" + bytes(40), "오피스"),
    "bytes": ("a.srt", bytes(range(256)) * 8, "글자가 아닌"),
    "broken json": ("a.info.json", b'{"title": "x', "JSON"),
    "deep json": ("a.info.json", b"[" * 100_000, "JSON"),
    "json of nothing": ("a.info.json", b'{"a": 1}', "제목도 설명도"),
    "subtitles without times": ("a.srt", "그냥 글이에요".encode(), "시간이 하나도"),
    "only sounds": ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\n[음악]\n".encode(), "읽을 말이"),
    "no transcript by name and content": ("x.exe", b"hello", "자막이나 글 파일이 아닌"),
    "broken sami": ("a.smi", b"<SAMI><BODY><SYNC Start=x><P>hi</BODY></SAMI>", "깨져"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_file_that_cannot_be_used_says_why_and_what_to_do(case):
    """Every unusable file is refused with an English cause and a Korean sentence that says what to do."""
    name, data, words = BAD[case]
    with pytest.raises(VideoReadError) as caught:
        read_upload(name, data)
    assert words in caught.value.korean
    assert caught.value.korean.endswith("요.")
    assert str(caught.value).isascii()


def test_a_file_of_a_strange_ending_is_told_by_its_content():
    """Captions are read whatever they are called, and prose from a name that ends in no kind of file."""
    assert read_upload("x.exe", SRT.encode()).timed
    for name in ("강의", "3. 메모리 강의", "강의 v1.2", "강의.txt", "강의.md"):
        assert read_upload(name, "메모리 대역폭을 설명할게요.".encode()).transcript


ROLLING = "\n\n".join(
    f"00:0{second}.000 --> 00:0{second + 1}.000\n{before}\n{words}"
    for second, (before, words) in enumerate(pairwise(["", "a word", "two words", "three words", "four words", "five words"]))
)


def english_talk(folder: Path, *codes: str, cues: str = "00:01.000 --> 00:02.000\n42 {code}") -> VideoContext:
    """Return the video of a record in English with captions of languages *codes* beside it."""
    record = folder / "talk [abcDEF12_-3].info.json"
    record.write_bytes(record_bytes(language="en-US"))
    for code in codes:
        (folder / f"talk [abcDEF12_-3].{code}.vtt").write_text("WEBVTT\n\n" + cues.replace("{code}", code) + "\n")
    (folder / "another talk.ko.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nanother\n")
    return VideoContext.from_file(record)


@pytest.mark.parametrize(("codes", "taken"), [("ko ja en-orig", "en-orig"), ("ja ko", "ko"), ("de zh-Hans", "de")])
def test_what_is_spoken_is_read_before_translations(tmp_path: Path, codes: str, taken: str):
    """Of the captions beside a record what was heard is read, then Korean ones, then any; those of another are not."""
    assert english_talk(tmp_path, *codes.split()).transcript[0].text == f"42 {taken}"


@pytest.mark.parametrize(("code", "origin"), [("en", TranscriptOrigin.AUTOMATIC), ("ko", TranscriptOrigin.TRANSLATED)])
def test_rolling_captions_in_another_language_are_a_translation(tmp_path: Path, code: str, origin: TranscriptOrigin):
    """What a machine translated is never taken for what it heard."""
    assert english_talk(tmp_path, code, cues=ROLLING).transcript_origin is origin


def test_a_path_that_cannot_be_read_is_told(tmp_path):
    """A missing file, and a folder, are reported as such, and a file of 21 MB on disk is refused for its size."""
    for name in ("missing.srt", "."):
        with pytest.raises(VideoReadError, match="cannot be opened"):
            VideoContext.from_file(tmp_path / name)
    with (tmp_path / "a.srt").open("wb") as file:
        file.truncate(21 * 1024 * 1024)
    with pytest.raises(VideoReadError) as caught:
        VideoContext.from_file(tmp_path / "a.srt")
    assert "너무 커요" in caught.value.korean


RECOGNISED = (
    "WEBVTT\n\nNOTE Speech recognition: whisper-1\n\n00:01.000 --> 00:02.000\n메모리를 봅니다\n\n"
    "00:02.000 --> 00:03.000\n<c.uncertain>감사합니다</c>\n"
)
ORIGINS = {
    "subtitles of nobody knows whom": ("a.srt", SRT, TranscriptOrigin.UNKNOWN, ""),
    "what was heard, by its name": ("a [abcDEF12_-3].ko-orig.srt", SRT, TranscriptOrigin.AUTOMATIC, ""),
    "speech recognition of ours": ("a.vtt", RECOGNISED, TranscriptOrigin.RECOGNITION, "whisper-1"),
    "prose": ("a.txt", "첫 문장입니다. 둘째 문장입니다.", TranscriptOrigin.PLAIN_TEXT, ""),
    "timed notes": ("a.txt", "0:05\n하나\n0:10\n둘\n0:15\n셋\n", TranscriptOrigin.PLAIN_TEXT, ""),
    "an answer of Whisper": (
        "a.json",
        json.dumps({"title": "a", "segments": [{"start": 0, "end": 1, "text": "하나", "avg_logprob": -0.2}]}),
        TranscriptOrigin.RECOGNITION,
        "",
    ),
    "a record alone": ("a.info.json", json.dumps({**RECORD, "subtitles": {"ko": []}}), TranscriptOrigin.UNKNOWN, ""),
}


@pytest.mark.parametrize("case", ORIGINS)
def test_every_file_tells_where_its_transcript_is_from(case):
    """The origin and the model are what the file shows, and unknown where it shows nothing."""
    name, text, origin, model = ORIGINS[case]
    video = read_upload(name, text.encode())
    assert (video.transcript_origin, video.transcript_model) == (origin, model)
    again = VideoContext.from_mapping(to_mapping(video))
    assert (again.transcript_origin, again.transcript_model) == (origin, model)


def test_a_recording_becomes_a_video():
    """It is titled by its file, knows its source, its doubts and what was not heard, and has the names that are said."""
    video = transcribed_video(HEARD, name="가을 발표.mp4")
    assert (video.title, video.title_is_file_name, video.duration_s, video.language) == ("가을 발표", True, 60.0, "ko")
    assert (video.transcript_origin, video.transcript_model) == (TranscriptOrigin.RECOGNITION, "large-v3")
    assert [segment.uncertain for segment in video.transcript] == [False, True, False]
    assert video.warnings == ("끝이 잘린 파일이에요.", "받아 적지 못한 곳이 있어요: 00:07–00:13")
    assert "SK하이닉스" in video.organizations
    assert VideoContext.from_mapping(to_mapping(video)) == video


def test_a_sound_without_speech_is_no_video():
    """Where nobody speaks there is nothing to ask about, and the sentence says so."""
    silent = Transcription(segments=(), recogniser=HEARD.recogniser, language="", duration_s=60.0)
    with pytest.raises(VideoReadError) as caught:
        transcribed_video(silent, name="a.mp4")
    assert "말을 찾지 못했어요" in caught.value.korean
