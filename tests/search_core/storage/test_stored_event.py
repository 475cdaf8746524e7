from __future__ import annotations

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from search_core.domain import SearchStatus
from search_core.storage.stored_event import MAX_EVENT_BYTES, pack, unpack
from tests.search_core.storage.events import AGREED, event

SEOUL_EVENING = datetime(2026, 11, 21, 6, 30, tzinfo=ZoneInfo("Asia/Seoul"))


def test_an_event_is_the_json_that_is_agreed():
    """The row has exactly the agreed fields, the time in ISO 8601 with Z, and reads as the same event at the same moment."""
    assert json.loads(pack(event())) == AGREED
    failure = {"status": SearchStatus.TIMEOUT, "result_count": 0, "error_message": "No answer within 10 s.", "from_cache": True}
    late = event("질문", timestamp=SEOUL_EVENING, **failure)
    expected = {"query": "질문", "status": "timeout", "timestamp": "2026-11-20T21:30:00Z"}
    assert json.loads(pack(late)) == AGREED | failure | expected
    assert unpack(pack(late)) == late
    assert unpack(json.dumps(AGREED | {"country": "KR"})) == event()  # a later version may have more fields


def test_text_that_is_no_unicode_is_stored_readably():
    """A lone surrogate becomes a question mark; the event is not lost for it."""
    found = unpack(pack(event("가\ud800나", error_message="\udfff")))
    assert found is not None
    assert (found.query, found.error_message) == ("가?나", "?")


@pytest.mark.parametrize(
    "row",
    [
        b"",
        "{",
        "null",
        "[1, 2]",
        "7",
        7,
        2.5,
        None,
        "\x00",
        b"\xff\xfe\x00",
        b"\x80\x04\x95cposix\nsystem\n(S'true'\ntR.",
        b"!!python/object/apply:os.system ['true']",
        json.dumps({"type": "login", "user": "kim"}),
        json.dumps({key: value for key, value in AGREED.items() if key != "provider"}),
        json.dumps(AGREED | {"status": "splendid"}),
        json.dumps(AGREED | {"timestamp": "2026-11-20T12:00:00"}),
        json.dumps(AGREED | {"timestamp": "yesterday"}),
        json.dumps(AGREED | {"result_count": -1}),
        json.dumps(AGREED | {"result_count": "many"}),
        json.dumps(AGREED | {"latency_ms": float("nan")}),
        json.dumps(AGREED | {"latency_ms": float("inf")}),
        json.dumps(AGREED | {"query": "x" * MAX_EVENT_BYTES}),
    ],
)
def test_what_is_no_event_is_none(row: object):
    """A row that was not written by an event log is no event, and none of it is executed."""
    assert unpack(row) is None
