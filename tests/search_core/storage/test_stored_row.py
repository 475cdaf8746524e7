from __future__ import annotations

import json
import pickle
import zlib
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from search_core.domain import SearchStatus
from search_core.storage.stored_row import (
    MAX_STORED_BYTES,
    MAX_TEXT_BYTES,
    RefusedRowError,
    compress,
    decode_reply,
    encode_reply,
    expand,
)
from tests.search_core.storage.replies import GOOD_HIT, HIT, NOON, Bomb, packed


def test_what_is_encoded_is_decoded():
    """The row is JSON under zlib; an answer comes back with its hits, but without the scores, which belong to one question."""
    row = encode_reply(SearchStatus.SUCCESS, (replace(HIT, relevance_score=0.9),), NOON, 60)
    text = json.loads(zlib.decompress(row))
    assert (text["format"], text["status"], text["results"][0]["title"]) == (1, "success", "HBM4 표준 발표")
    assert (text["stored_at"], text["fresh_until"]) == ("2026-11-20T12:00:00Z", "2026-11-20T12:01:00Z")
    found = decode_reply(row, NOON)
    assert found is not None
    assert (found.status, found.results, found.stored_at, found.fresh) == (SearchStatus.SUCCESS, (HIT,), NOON, True)


@pytest.mark.parametrize(
    ("ago", "fresh"),
    [
        ({"seconds": 59}, True),
        ({"seconds": 60}, False),
        ({"seconds": 59, "hours": 24}, False),
        ({"seconds": 60, "hours": 24}, None),
        ({"hours": -25}, True),
        ({"hours": -25, "seconds": -1}, None),
    ],
)
def test_an_answer_past_its_time_is_stale_for_a_day(ago: dict[str, float], fresh: bool | None):
    """Past its lifetime an answer may stand in for 24 hours; one of the future counts while the clock may have been set back."""
    found = decode_reply(encode_reply(SearchStatus.SUCCESS, (HIT,), NOON - timedelta(**ago), 60), NOON)
    assert (None if found is None else found.fresh) is fresh


@pytest.mark.parametrize(
    "value",
    [
        b"no zlib",
        zlib.compress(b"!!python/object/apply:os.system ['true']"),
        zlib.compress(b"[]"),
        packed(format=2),
        packed(status="timeout"),
        packed(stored_at="2026-11-20T12:00:00", fresh_until="2026-11-20T13:00:00"),
        packed(stored_at="0001-01-01T00:00:00+12:00", fresh_until="0001-01-01T00:00:00+12:00"),
        packed(stored_at="2027-11-20T12:00:00Z", fresh_until="2027-11-20T13:00:00Z"),
        packed(results=[GOOD_HIT | {"url": "javascript:alert(1)"}]),
        packed(results=[GOOD_HIT | {"url": "http://[::1"}]),
        packed(results=[GOOD_HIT | {"publish_date": "2026-11-20T12:00:00"}]),
        packed()[:-3],
        zlib.compress(b" " * (50 << 20)),
    ],
)
def test_a_row_that_was_not_written_so_is_refused(value: bytes):
    """A row that no cache writes is None or a ValueError, and nothing else is raised."""
    with suppress(ValueError):
        assert decode_reply(value, NOON) is None


def test_a_pickle_does_not_run(tmp_path: Path):
    """A pickle, plain or compressed, is refused and its code is not executed."""
    bomb = pickle.dumps(Bomb(tmp_path / "ran"))
    for row in (bomb, zlib.compress(bomb)):
        with pytest.raises(RefusedRowError):
            decode_reply(row, NOON)
    assert not (tmp_path / "ran").exists()


def test_an_error_does_not_repeat_the_row():
    """The error about a row that cannot be read holds nothing of the row."""
    with pytest.raises(RefusedRowError) as caught:
        decode_reply(compress(b'{"format": 1, "status": "a secret question"}'), NOON)
    assert "secret" not in str(caught.value)


def test_sizes_are_bounded_both_ways():
    """What would be too large to be read is not written, and what is larger is not expanded."""
    assert expand(compress(b"x" * MAX_TEXT_BYTES)) == b"x" * MAX_TEXT_BYTES
    with pytest.raises(RefusedRowError):
        encode_reply(SearchStatus.SUCCESS, (replace(HIT, title="x" * MAX_TEXT_BYTES),), NOON, 60)
    for row in (zlib.compress(b"x" * (MAX_TEXT_BYTES + 1)), bytes(MAX_STORED_BYTES + 1), b""):
        with pytest.raises(RefusedRowError):
            expand(row)
