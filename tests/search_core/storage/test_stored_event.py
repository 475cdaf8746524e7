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
    odd = unpack(pack(event("가\ud800나", error_message="\udfff")))
    assert odd is not None
    assert (odd.query, odd.error_message) == ("가?나", "?")


CHANGED = [
    {"status": "splendid"},
    {"timestamp": "2026-11-20T12:00:00"},
    {"result_count": -1},
    {"latency_ms": float("inf")},
    {"query": "x" * MAX_EVENT_BYTES},
]


@pytest.mark.parametrize(
    "row",
    [b"", "[1, 2]", 7, None, b"\xff\xfe\x00", b"\x80\x04\x95cposix\nsystem\n(S'true'\ntR.", '{"type": "login"}']
    + [json.dumps(AGREED | changes) for changes in CHANGED],
)
def test_what_is_no_event_is_none(row: object):
    """A row that was not written by an event log is no event, and none of it is executed."""
    assert unpack(row) is None
