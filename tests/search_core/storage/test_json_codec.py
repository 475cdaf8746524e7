"""Records and videos survive being stored, and versions that know more or fewer fields."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace

import pytest

from search_core.domain.conversation import AnswerDone, AnswerRecord
from search_core.storage.conversations import RECORD as RECORDS
from search_core.storage.conversations import VIDEO as VIDEOS
from search_core.storage.json_codec import json_text, json_value
from tests.search_core.storage.sample_records import RECORD, VIDEO


def stored(value: object) -> object:
    """Return plain values as they come back from JSON text."""
    return json_value(json_text(value))


def test_a_full_record_and_a_full_video_come_back_as_they_were():
    """Every field, down to the rows of a comparison and the zone of a date, is the same after JSON; lists are tuples again.

    No field of either is left at its default, so that none is forgotten.
    """
    for made, codec in ((RECORD, RECORDS), (VIDEO, VIDEOS)):
        empty = type(made)()
        assert [field.name for field in fields(made) if getattr(made, field.name) == getattr(empty, field.name)] == []
        assert codec.read(stored(codec.write(made))) == (made, True)


def test_records_of_other_versions_are_read():
    """Fields this version does not know, at any depth, are passed over, and those that were not written take their defaults."""
    written = RECORDS.write(RECORD)
    written["mood"] = {"is": "new"}
    written["sources"][0]["rank"] = 7
    assert RECORDS.read(stored(written)) == (RECORD, True)
    short = AnswerRecord(text="안녕", done=AnswerDone(total_ms=5.0))
    assert RECORDS.read({"text": "안녕", "done": {"total_ms": 5}}) == (short, True)


def test_what_cannot_be_read_costs_nothing_else():
    """What is broken counts as not there, the rest stands, and the reader is told; no JSON object is an empty record."""
    written = RECORDS.write(RECORD) | {"origin": "oracle", "sources": [{"number": "first"}]}
    assert RECORDS.read(stored(written)) == (replace(RECORD, origin=None, sources=()), False)
    for broken in (None, 3, "{not json", [1, 2]):
        assert RECORDS.read(broken) == (AnswerRecord(), False)
    assert VIDEOS.read(VIDEOS.write(VIDEO) | {"transcript": [{"start_s": "soon"}]}) == (replace(VIDEO, transcript=()), False)
    for text in ('{"a": ', "[" * 100_000):
        assert json_value(text) == text


def test_numbers_json_has_no_word_for_come_back():
    """Infinity and what is no number are kept as text, so that PostgreSQL takes them, and read as numbers."""
    text = json_text(RECORDS.write(AnswerRecord(moments=(math.inf, -math.inf), done=AnswerDone(total_ms=math.nan))))
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    record, whole = RECORDS.read(json.loads(text))
    assert whole
    assert record.moments == (math.inf, -math.inf)
    assert record.done is not None
    assert math.isnan(record.done.total_ms)
