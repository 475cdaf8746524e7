"""Records and videos survive being stored, and versions that know more or fewer fields."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.domain import (
    AnswerDone,
    AnswerRecord,
    Claim,
    ClaimCheck,
    Judge,
    ResearchRequest,
    ResearchRun,
    TranscriptPassage,
    TranscriptSegment,
    VideoContext,
    WebSource,
)
from search_core.json_slices import SLICE
from search_core.storage.json_codec import JsonCodec, json_text, json_value, storable_text
from search_core.storage.stored_message import RECORD as RECORDS
from search_core.storage.stored_message import VIDEO as VIDEOS
from tests.search_core.storage.sample_records import RECORD, ROW, VIDEO

OFFSETS = st.integers(-840, 840).map(lambda minutes: timezone(timedelta(minutes=minutes)))
"""Times are stored with their offset; where a clock jumps, a zone's name makes a time equal to no other."""
words = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))
numbers = st.floats(allow_nan=False)
segments = st.builds(TranscriptSegment, start_s=numbers, end_s=numbers, text=words)
passages = st.builds(TranscriptPassage, segments=st.tuples(segments, segments), score=numbers)
sources = st.builds(
    WebSource,
    number=st.integers(1, 99),
    title=words,
    url=words,
    snippet=words,
    source=words,
    publish_date=st.none() | st.datetimes(datetime(1980, 1, 1), timezones=OFFSETS),  # noqa: DTZ001 - a bound is naive
)
records = st.builds(
    AnswerRecord,
    passages=st.tuples(passages) | st.just(()),
    text=words,
    moments=st.tuples(numbers, numbers),
    sources=st.tuples(sources),
    ledger=st.tuples(words),
    error=words,
    done=st.none() | st.builds(AnswerDone, total_ms=numbers),
)


def stored(value: object) -> object:
    """Return plain values as they come back from JSON text."""
    return json_value(json_text(value))


@pytest.mark.parametrize(("made", "empty"), [(RECORD, AnswerRecord()), (VIDEO, VideoContext())], ids=["record", "video"])
def test_what_was_made_by_hand_is_full(made: AnswerRecord | VideoContext, empty: AnswerRecord | VideoContext):
    """The record and the video these tests go by have no field left at its default, so that no field is forgotten."""
    assert [field.name for field in fields(made) if getattr(made, field.name) == getattr(empty, field.name)] == []


def test_a_full_record_and_a_full_video_come_back_as_they_were():
    """Every field, down to the rows of a comparison and the zone of a date, is the same after JSON; lists are tuples again."""
    assert RECORDS.read(stored(RECORDS.write(RECORD))) == (RECORD, True)
    assert VIDEOS.read(stored(VIDEOS.write(VIDEO))) == (VIDEO, True)


@settings(max_examples=30)
@given(records)
def test_any_record_comes_back_as_it_was(record: AnswerRecord):
    """Whatever texts, numbers and dates a record holds, it is the same after JSON."""
    assert RECORDS.read(stored(RECORDS.write(record))) == (record, True)


def test_records_of_other_versions_are_read():
    """Fields this version does not know, at any depth, are passed over, and those that were not written take their defaults."""
    written = RECORDS.write(RECORD)
    written["mood"] = {"is": "new"}
    written["sources"][0]["rank"] = 7
    assert RECORDS.read(stored(written)) == (RECORD, True)
    assert RECORDS.read({"text": "안녕", "done": {"total_ms": 5}}) == (
        AnswerRecord(text="안녕", done=AnswerDone(total_ms=5.0)),
        True,
    )


def test_rows_kept_before_judges_had_names_are_of_the_rules():
    """Stances of answers and of claims that earlier versions stored open whole, judged by rules, without a probability."""
    checks = JsonCodec(ClaimCheck)
    record, check = RECORDS.write(RECORD), checks.write(ClaimCheck(claim=Claim(number=1, text="말"), rows=(ROW,)))
    comparison = record["comparison"]
    for row in (*comparison["rows"], *comparison["after"], *check["rows"]):
        del row["judge"], row["probability"]
    del comparison["judged_by_rules_alone"], check["judged_by_rules_alone"]
    by_rules = replace(ROW, judge=Judge.RULES, probability=None)
    (opened, whole), (claim, claim_whole) = RECORDS.read(stored(record)), checks.read(stored(check))
    assert (whole, claim_whole) == (True, True)
    assert opened.comparison is not None
    assert (opened.comparison.rows, opened.comparison.after) == ((by_rules,), (by_rules,))
    assert (claim.rows, opened.comparison.judged_by_rules_alone, claim.judged_by_rules_alone) == ((by_rules,), False, False)


def test_a_long_transcript_is_written_and_read_in_slices():
    """A video, a request and a run with a transcript of many slices come back as they were, and are written like short ones."""
    said = tuple(TranscriptSegment(float(place), place + 1.0, f"말 {place}\0", place % 2 == 0) for place in range(2 * SLICE + 1))
    video = VideoContext(title="강연", transcript=said)
    clean = replace(video, transcript=tuple(replace(each, text=each.text.replace("\0", "\ufffd")) for each in said))
    written = VIDEOS.write(video)
    assert written["transcript"][-1] == {"start_s": 4000.0, "end_s": 4001.0, "text": "말 4000\ufffd", "uncertain": True}
    assert VIDEOS.read(stored(written)) == (clean, True)
    requests, runs = JsonCodec(ResearchRequest), JsonCodec(ResearchRun)
    request = ResearchRequest(question="메모리는?", video=video)
    run = ResearchRun(id="1", request=request, created_at=datetime(2026, 11, 23, tzinfo=UTC))
    assert requests.read(stored(requests.write(request))) == (replace(request, video=clean), True)
    assert runs.read(stored(runs.write(run))) == (replace(run, request=replace(request, video=clean)), True)
    written["transcript"][3] = {"start_s": "soon"}
    assert VIDEOS.read(stored(written)) == (replace(video, transcript=()), False)


def test_a_field_that_cannot_be_read_costs_no_other():
    """What is broken counts as not there, the rest stands, and the reader is told."""
    written = RECORDS.write(RECORD) | {"origin": "oracle", "sources": [{"number": "first"}]}
    assert RECORDS.read(stored(written)) == (replace(RECORD, origin=None, sources=()), False)


@pytest.mark.parametrize("broken", [None, 3, "{not json", [1, 2]], ids=["null", "number", "text", "list"])
def test_what_is_no_record_at_all_is_an_empty_one(broken: object):
    """Anything but a JSON object reads as a record without content, and the reader is told."""
    assert RECORDS.read(broken) == (AnswerRecord(), False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("가나 a", "가나 a"),
        ("a\0b", "a\ufffdb"),
        ("\ud83d x", "\ufffd x"),
        ("x \ude00", "x \ufffd"),
        ("\ud83d\ude00", "😀"),
        ("", ""),
    ],
)
def test_letters_no_database_keeps_are_replaced(text: str, expected: str):
    """NUL and halves of letters become U+FFFD; two halves that belong together become their letter."""
    assert storable_text(text) == expected


def test_letters_no_database_keeps_are_replaced_at_every_depth():
    """The texts inside lists and objects of a record are cleaned as well."""
    passage = TranscriptPassage(segments=(TranscriptSegment(0.0, 1.0, "\ud800\0"),), score=0.5)
    text = json_text(RECORDS.write(AnswerRecord(passages=(passage,), ledger=("a\0",))))
    assert text.encode() == text.encode("utf-8", "replace")
    assert "\\u0000" not in text
    assert RECORDS.read(json.loads(text))[0].passages[0].text == "\ufffd\ufffd"


def test_numbers_json_has_no_word_for_come_back():
    """Infinity and what is no number are kept as text, so that PostgreSQL takes them, and read as numbers."""
    text = json_text(RECORDS.write(AnswerRecord(moments=(math.inf, -math.inf), done=AnswerDone(total_ms=math.nan))))
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    record, whole = RECORDS.read(json.loads(text))
    assert whole
    assert record.moments == (math.inf, -math.inf)
    assert record.done is not None
    assert math.isnan(record.done.total_ms)


def test_text_that_is_no_json_comes_back_as_it_is():
    """A damaged value is handed on for the reader of the record to refuse."""
    assert json_value('{"a": ') == '{"a": '
    assert json_value("[" * 100_000) == "[" * 100_000


def test_an_answer_kept_before_own_documents_had_a_place_is_read_whole():
    """What version 0.3.0 stored opens: its sources have no score, its failure no reason, and nothing stands beside the web."""
    row = {
        "text": "영상에서 언급되지 않았습니다.",
        "searched_for": "창업자는?",
        "sources": [
            {
                "number": 1,
                "title": "글",
                "url": "https://a.example/1",
                "snippet": "글이다.",
                "source": "a.example",
                "publish_date": None,
            }
        ],
        "failure": {"failure": "unavailable", "cause": "none", "korean": "쓸 수 없어요.", "for_model": ""},
    }
    record, whole = RECORDS.read(row)
    assert whole
    assert record.sources[0].score is None
    assert record.failure is not None
    assert (record.failure.reason, record.failure.retry_after_s, record.own, record.without_web) == ("", None, None, None)
