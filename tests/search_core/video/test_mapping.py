"""Videos as JSON objects, both ways."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.domain import Chapter, TranscriptSegment, VideoContext
from search_core.errors import TooLongError, VideoReadError
from search_core.video import to_mapping
from search_core.video.limits import MAX_CUES, MAX_TRANSCRIPT_CHARS, limit_video
from search_core.video.mapping import read_mapping

NO_NAMES = {"speakers": [], "organizations": [], "events": [], "key_terms": []}


def read(**fields):
    return VideoContext.from_mapping({**NO_NAMES, **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"transcript": [[1, 2, "가"]] * (MAX_CUES + 1)},
        {"transcript": "가" * (MAX_TRANSCRIPT_CHARS + 1)},
    ],
)
def test_more_than_is_read_of_any_video_is_refused(fields):
    """A program that hands in a video is held to the limits of a file, in a sentence, before names are looked for."""
    with pytest.raises(VideoReadError) as refused:
        VideoContext.from_mapping(fields)
    assert refused.value.korean.endswith("요.")


def test_texts_beyond_a_limit_are_cut_and_the_page_says_so():
    """A title of 301 characters and a description of 20,001 lose one each, an address of 2,001 goes; what is said stays whole."""
    video = limit_video(
        read_mapping(
            {
                "title": "가" * 301,
                "description": "나" * 20_001,
                "url": "https://a.example/" + "b" * 1_983,
                "chapters": [[0, "다" * 301]],
                "transcript": "말",
            }
        )
    )
    assert (len(video.title), len(video.description), video.url, len(video.chapters[0].title)) == (300, 20_000, "", 300)
    assert video.warnings == (
        "영상 정보가 너무 길어서 제목은 300자, 설명은 20,000자, 챕터는 300자씩 1,000개까지만 읽었어요.",
        "영상의 주소가 2,000자보다 길어서 뺐어요.",
    )
    named = limit_video(read_mapping({"speakers": ["a" * 201, *map(str, range(301))]}))
    assert (len(named.speakers), len(named.speakers[0])) == (300, 200)
    assert read(title="가" * 300, description="나" * 20_000, transcript="말").warnings == ()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"title": "가" * 301}, "video.title has 301 characters; at most 300"),
        ({"channel": "가" * 301}, "video.channel has 301 characters; at most 300"),
        ({"description": "가" * 20_001}, "video.description has 20001 characters; at most 20000"),
        ({"video_id": "a" * 301}, "video.video_id has 301 characters; at most 300"),
        ({"url": "https://a.example/" + "b" * 1_983}, "video.url has 2001 characters; at most 2000"),
        ({"thumbnail_url": "a" * 2_001}, "video.thumbnail_url has 2001 characters; at most 2000"),
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
        {"start_ms": 1500, "end_ms": 4000, "text": "말", "speaker": "1"},
        {"start": "00:00:01,500", "end": "00:00:04", "text": " 말 "},
        [1.5, 4.0, "말"],
    ],
)
def test_cues_are_read_in_each_form(cue):
    """Seconds, milliseconds, durations, clock texts and triples give the same segment."""
    assert read(transcript=[cue]).transcript == (TranscriptSegment(1.5, 4.0, "말"),)


def test_unreadable_cues_are_counted_and_told():
    """Cues of no known shape are left out with a warning; empty ones silently."""
    video = read(transcript=[5, None, {"start": 1, "end": 2, "text": "말"}, {"start": 3, "end": 4, "text": " "}])
    assert len(video.transcript) == 1
    assert video.warnings == ("읽을 수 없는 자막 2개는 뺐어요.",)


def test_broken_times_do_not_leave_the_range():
    """Negative, infinite and reversed times end as times at or after 0 with the end not before the start."""
    cues = [[-5, 2, "a"], [float("nan"), float("inf"), "b"], [9, 3, "c"]]
    assert read(transcript=cues).transcript == (
        TranscriptSegment(0.0, 2.0, "a"),
        TranscriptSegment(0.0, 0.0, "b"),
        TranscriptSegment(9.0, 9.0, "c"),
    )


def test_what_is_missing_comes_from_elsewhere():
    """An address gives the id, one text is split into a transcript, and unknown keys change nothing."""
    assert read(url="https://youtu.be/abcDEF12_-3").video_id == "abcDEF12_-3"
    assert read(transcript="하나예요. 둘이에요.").transcript[0].text == "하나예요. 둘이에요."
    assert read(title="제목", colour="red") == read(title="제목")


def test_names_may_be_a_text_with_commas():
    """Names come as a list, a list of objects or one text; doubles go."""
    video = read(speakers="김하늘, 이바다,김하늘", organizations=[{"name": "JEDEC"}, 3], events=None)
    assert video.speakers == ("김하늘", "이바다")
    assert video.organizations == ("JEDEC", "3")


@pytest.mark.parametrize(
    ("given_date", "moment"),
    [
        ("2024-01-02", datetime(2024, 1, 2, tzinfo=UTC)),
        ("20240102", datetime(2024, 1, 2, tzinfo=UTC)),
        ("2024-01-02T03:04:05Z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05+09:00", datetime(2024, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=9)))),
        (1704164645, datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("yesterday", None),
        (10**30, None),
        ({}, None),
    ],
)
def test_dates_are_time_zone_aware_or_none(given_date, moment):
    """Dates in the usual forms are read, a bare one as UTC; others are unknown."""
    assert read(published_at=given_date).published_at == moment


def test_chapters_are_read_as_objects_and_pairs():
    """Chapters come in yt-dlp's form, in ours and as pairs of clock and title."""
    chapters = [{"start_time": 90, "title": "둘"}, {"start_s": 0, "title": "하나"}, ["2:00", "셋"], {"title": "?"}, 7]
    assert read(chapters=chapters).chapters == (Chapter(0.0, "하나"), Chapter(90.0, "둘"), Chapter(120.0, "셋"))


@pytest.mark.parametrize("nothing", [None, 5, "text", [1], True])
def test_what_is_no_object_is_refused(nothing):
    """A video that is no JSON object is refused in Korean."""
    with pytest.raises(VideoReadError, match="JSON object"):
        VideoContext.from_mapping(nothing)


WORDS = st.text(alphabet=st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=12)
TIMES = st.floats(min_value=0, max_value=90_000, allow_nan=False).map(lambda value: round(value, 3))
SEGMENTS = st.builds(lambda start, length, text: TranscriptSegment(start, start + length, text), TIMES, TIMES, WORDS)


def in_order(found):
    return tuple(sorted(found, key=lambda part: part.start_s))


CONTEXTS = st.builds(
    VideoContext,
    video_id=WORDS,
    url=WORDS,
    title=WORDS,
    channel=WORDS,
    published_at=st.none() | st.datetimes(timezones=st.just(UTC)),
    description=WORDS,
    speakers=st.lists(WORDS, unique=True).map(tuple),
    organizations=st.lists(WORDS, unique=True).map(tuple),
    events=st.lists(WORDS, unique=True).map(tuple),
    key_terms=st.lists(WORDS, unique=True).map(tuple),
    chapters=st.lists(st.builds(Chapter, TIMES, WORDS), min_size=1).map(in_order),
    transcript=st.lists(SEGMENTS).map(in_order),
    language=st.sampled_from(["ko", "en"]),
    thumbnail_url=WORDS,
    duration_s=st.none() | TIMES,
    sample=st.booleans(),
    warnings=st.lists(WORDS, max_size=9).map(tuple),
)


@given(CONTEXTS)
@settings(max_examples=40)
def test_a_video_survives_the_way_through_json(context):
    """Written as JSON and read back, a video equals itself."""
    assert VideoContext.from_mapping(json.loads(json.dumps(to_mapping(context)))) == context


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.sampled_from([*to_mapping(VideoContext()), "segments", "id", "upload_date", "duration", "thumbnail", "uploader"])


@given(st.dictionaries(FIELDS, JSON_VALUES, max_size=8))
@settings(max_examples=100)
def test_any_object_is_read(mapping):
    """Whatever JSON stands in the fields, reading ends in a video that can be written as JSON."""
    written = json.dumps(to_mapping(VideoContext.from_mapping({**NO_NAMES, **mapping})), allow_nan=False)
    assert (
        json.loads(written)["speakers"]
        == json.loads(json.dumps(to_mapping(VideoContext.from_mapping(json.loads(written)))))["speakers"]
    )
