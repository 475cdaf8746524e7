"""Videos as JSON objects, both ways."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import pairwise
from unicodedata import normalize

import pytest

from search_core.domain.video import Chapter, TranscriptSegment, VideoContext
from search_core.errors import InputError, TooLongError, VideoReadError
from search_core.video.limits import MAX_CUE_CHARS, MAX_CUES, MAX_TRANSCRIPT_CHARS, limit_video
from search_core.video.mapping import VideoFacts, read_mapping, to_mapping
from search_core.video.readers import read_upload
from search_core.video.subtitles import RECOGNISED_NOTE
from tests.search_core.storage.sample_records import VIDEO

NO_NAMES = {"speakers": [], "organizations": [], "events": [], "key_terms": []}


def read(**fields):
    return VideoContext.from_mapping({**NO_NAMES, **fields})


@pytest.mark.parametrize("letters", ["가나다라마" * 2_000, "가나다라 마바사아 " * 1_000, normalize("NFD", "각낟" * 3_000)])
def test_a_caption_without_end_is_read_in_pieces(letters: str):
    """None has more than 2,000 letters, all stand there in whole syllables, and the time goes on from one to the next."""
    pieces = limit_video(read_mapping({"transcript": [[10, 40, letters]]})).transcript
    assert all(len(each.text) <= MAX_CUE_CHARS for each in pieces)
    assert "".join(each.text for each in pieces) == normalize("NFC", letters).rstrip()
    assert [pieces[0].start_s, pieces[-1].end_s] == [10, 40]
    assert all(one.end_s == other.start_s for one, other in pairwise(pieces))


@pytest.mark.parametrize(
    ("transcript", "limit"),
    [([[1, 2, "가"]] * (MAX_CUES + 1), MAX_CUES), ("가" * (MAX_TRANSCRIPT_CHARS + 1), MAX_TRANSCRIPT_CHARS)],
    ids=["captions", "characters"],
)
def test_more_than_is_read_of_any_video_is_refused(transcript, limit):
    """A program that hands in a video is held to the limits of a file, which are named in both languages."""
    with pytest.raises(VideoReadError, match=str(limit)) as refused:
        VideoContext.from_mapping({"transcript": transcript})
    assert f"{limit:,}" in refused.value.korean


def test_texts_beyond_a_limit_are_cut_and_the_page_says_so():
    """A title of 301 characters and a description of 20,001 lose one each, an address of 2,001 goes; what is said stays whole."""
    long = {"title": "가" * 301, "description": "나" * 20_001, "chapters": [[0, "다" * 301]], "transcript": ["말"]}
    video = limit_video(read_mapping({**long, "url": "https://a.example/" + "b" * 1_983}))
    assert (len(video.title), len(video.description), video.url, len(video.chapters[0].title)) == (300, 20_000, "", 300)
    assert len(video.warnings) == 1
    named = limit_video(read_mapping({"speakers": ["a" * 201, *map(str, range(301))]}))
    assert (len(named.speakers), len(named.speakers[0])) == (300, 200)
    assert read(title="가" * 300, description="나" * 20_000, transcript=["말"]).warnings == ()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"title": "가" * 301}, "video.title has 301 characters; at most 300"),
        ({"url": "https://a.example/" + "b" * 1_983}, "video.url has 2001 characters; at most 2000"),
        ({"chapters": [[0, "다" * 301]]}, "video.chapters.title has 301 characters; at most 300"),
        ({"key_terms": "a" * 201}, "video.name has 201 characters; at most 200"),
        ({"events": [str(number) for number in range(301)]}, "video.events has 301 entries; at most 300"),
        ({"warnings": ["a"] * 103}, "video.warnings has 103 entries; at most 102"),
    ],
)
def test_what_somebody_hands_in_is_refused_beyond_a_limit(fields, words):
    """A program that hands in a video learns which field is too long, how long it is and how long it may be."""
    with pytest.raises(TooLongError, match=words) as refused:
        VideoContext.from_mapping(fields)
    assert refused.value.korean.startswith("너무 긴 값이 있어요: ")


@pytest.mark.parametrize(
    "cue",
    [
        {"start_s": 1.5, "end_s": 4.0, "text": "말"},
        {"start": 1.5, "end": 4, "text": "말"},
        {"start": 1.5, "duration": 2.5, "text": "말"},
        {"start_ms": 1500, "end_ms": 4000, "text": "말", "speaker": "1", "uncertain": True},
        {"start": "00:00:01,500", "end": "00:00:04", "text": " 말 "},
        [1.5, 4.0, "말"],
    ],
)
def test_cues_are_read_in_each_form(cue):
    """Seconds, milliseconds, durations, clock texts and triples give the same segment; doubts about a cue stay."""
    assert read(transcript=[cue]).transcript == (TranscriptSegment(1.5, 4.0, "말", "uncertain" in cue),)


def test_cues_and_times_that_cannot_be_read_are_put_right():
    """Cues of no known shape are left out with a warning, empty ones silently; times end at or after 0, ends after starts."""
    video = read(transcript=[5, None, {"start": 1, "end": 2, "text": "말"}, {"start": 3, "end": 4, "text": " "}])
    assert len(video.transcript) == 1
    assert ["자막 2개" in warning for warning in video.warnings] == [True]
    cues = [[-5, 2, "a"], [float("nan"), float("inf"), "b"], [9, 3, "c"]]
    assert [(cue.start_s, cue.end_s) for cue in read(transcript=cues).transcript] == [(0.0, 2.0), (0.0, 0.0), (9.0, 9.0)]


@pytest.mark.parametrize(
    "text",
    [
        "JANE DOE: Rates rose to five percent.\nINTERVIEWER: In May?\nJANE DOE: Yes, in May.",
        "김하나 00:12\n금리가 올랐어요.\n이바다 00:20\n언제요?\n김하나 00:25\n오월에요.",
        f"WEBVTT\n\n{RECOGNISED_NOTE} large-v3\n\n00:01.000 --> 00:02.000\n<v 김하나><c.uncertain>금리가 올랐어요.</c>",
        "1\n00:00:05,000 --> 00:00:06,000\n둘이에요.\n\n2\n00:00:01,000 --> 00:00:02,000\n하나예요.",
    ],
)
def test_a_text_says_in_a_mapping_what_it_says_as_a_file(text: str):
    """Words, speakers, origin, model and warnings are the same; speakers that are stated stay, also none."""
    of_file = read_upload("a.txt", text.encode())
    video = VideoContext.from_mapping({"transcript": text})
    assert of_file.speakers or of_file.warnings
    for name in ("transcript", "speakers", "transcript_origin", "transcript_model", "warnings", "language"):
        assert getattr(video, name) == getattr(of_file, name), name
    assert VideoContext.from_mapping({"transcript": text, "speakers": ["박바다"]}).speakers == ("박바다",)
    assert read(transcript=text).speakers == ()


def test_fields_are_read_in_other_forms_and_places():
    """An address gives the id, one text is a transcript; names come as a list, objects or a text, chapters in three forms."""
    assert read(url="https://youtu.be/abcDEF12_-3").video_id == "abcDEF12_-3"
    assert read(transcript="하나예요. 둘이에요.").transcript[0].text == "하나예요. 둘이에요."
    assert read(title="제목", colour="red") == read(title="제목")
    video = read(speakers="김하늘, 이바다,김하늘", organizations=[{"name": "JEDEC"}, 3], events=None)
    assert (video.speakers, video.organizations) == (("김하늘", "이바다"), ("JEDEC", "3"))
    chapters = [{"start_time": 90, "title": "둘"}, {"start_s": 0, "title": "하나"}, ["2:00", "셋"], {"title": "?"}, 7]
    assert read(chapters=chapters).chapters == (Chapter(0.0, "하나"), Chapter(90.0, "둘"), Chapter(120.0, "셋"))


@pytest.mark.parametrize("nothing", [None, 5, "text", [1]])
def test_what_is_no_object_is_refused(nothing):
    """A video that is no JSON object is refused in Korean."""
    with pytest.raises(VideoReadError, match="JSON object"):
        VideoContext.from_mapping(nothing)


def test_a_video_survives_the_way_through_json():
    """Written as JSON and read back, a video with something in every field equals itself."""
    assert VideoContext.from_mapping(json.loads(json.dumps(to_mapping(VIDEO)))) == VIDEO


SPOKEN = VideoContext(title="video", file_title="video", transcript=(TranscriptSegment(0, 0, "매출은 66조 원이었습니다."),))


def test_what_is_told_is_added_and_names_are_found_in_it():
    """A title brings the names in it; the words of the video stay, and telling nothing changes nothing."""
    told = VideoFacts.read(" SK하이닉스  실적 ", "경제 채널", "2025년 2월 1일").added_to(SPOKEN)
    assert (told.title, told.channel, told.published_at) == ("SK하이닉스 실적", "경제 채널", datetime(2025, 2, 1, tzinfo=UTC))
    assert "SK하이닉스" in told.organizations
    assert told.transcript == SPOKEN.transcript
    assert not told.title_is_file_name
    assert VideoFacts.read("", " ", "").added_to(SPOKEN) is SPOKEN


def test_facts_that_cannot_be_used_are_refused():
    """A day that is none, and a title that is too long."""
    with pytest.raises(InputError, match="2026-11-24"):
        VideoFacts.read("", "", "어제")
    with pytest.raises(TooLongError, match="300"):
        VideoFacts.read("가" * 301, "", "").added_to(SPOKEN)
