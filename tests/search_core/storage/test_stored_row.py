from __future__ import annotations

import json
import pickle
import zlib
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from search_core.domain import SearchResult, SearchStatus
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


def encoded(**ago: float) -> bytes:
    """Return the row of an answer that was stored so long before noon and is fresh for a minute."""
    return encode_reply(SearchStatus.SUCCESS, (HIT,), NOON - timedelta(**ago), 60)


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
    found = decode_reply(encoded(**ago), NOON)
    assert (None if found is None else found.fresh) is fresh


def test_the_end_of_the_calendar_is_no_error():
    """A lifetime until the last day that can be written is read, and nothing overflows."""
    found = decode_reply(packed(fresh_until="9999-12-31T23:59:59-12:00"), NOON)
    assert found is not None
    assert (found.fresh, found.results[0].url) == (True, "https://example.org/")


@pytest.mark.parametrize(
    "value",
    [
        b"no zlib",
        b"!!python/object/apply:os.system ['true']",
        zlib.compress(b"!!python/object/apply:os.system ['true']"),
        zlib.compress(b"[]"),
        zlib.compress(b'{"format": 1}'),
        zlib.compress(b"\xff\xfe"),
        packed(format=2),
        packed(status="timeout"),
        packed(stored_at="2026-11-20T12:00:00", fresh_until="2026-11-20T13:00:00"),
        packed(stored_at="0001-01-01T00:00:00+12:00", fresh_until="0001-01-01T00:00:00+12:00"),
        packed(stored_at="2027-11-20T12:00:00Z", fresh_until="2027-11-20T13:00:00Z"),
        packed(results=[GOOD_HIT | {"url": "javascript:alert(1)"}]),
        packed(results=[GOOD_HIT | {"url": "file:///etc/passwd"}]),
        packed(results=[GOOD_HIT | {"url": "http://[::1"}]),
        packed(results=[GOOD_HIT | {"publish_date": "2026-11-20T12:00:00"}]),
        packed()[:-3],
        zlib.compress(b" " * (50 << 20)),
        bytes(50 << 20),
    ],
)
def test_a_row_that_was_not_written_so_is_refused(value: bytes):
    """A row that no cache writes is None or a ValueError, and nothing else is raised."""
    with suppress(ValueError):
        assert decode_reply(value, NOON) is None


@pytest.mark.parametrize("squeezed", [False, True])
def test_a_pickle_does_not_run(tmp_path: Path, squeezed: bool):
    """A pickle, plain or compressed, is refused and its code is not executed."""
    bomb = pickle.dumps(Bomb(tmp_path / "ran"))
    with pytest.raises(RefusedRowError):
        decode_reply(zlib.compress(bomb) if squeezed else bomb, NOON)
    assert not (tmp_path / "ran").exists()


def test_an_error_does_not_repeat_the_row():
    """The error about a row that cannot be read holds nothing of the row."""
    with pytest.raises(RefusedRowError) as caught:
        decode_reply(compress(b'{"format": 1, "status": "a secret question"}'), NOON)
    assert "secret" not in str(caught.value)


def test_sizes_are_bounded_both_ways():
    """What would be too large to be read is not written, and what is larger is not expanded; neither is what is no Unicode."""
    assert expand(compress(b"x" * MAX_TEXT_BYTES)) == b"x" * MAX_TEXT_BYTES
    with pytest.raises(RefusedRowError):
        compress(b"x" * (MAX_TEXT_BYTES + 1))
    for row in (zlib.compress(b"x" * (MAX_TEXT_BYTES + 1)), bytes(MAX_STORED_BYTES + 1), b"", b"x"):
        with pytest.raises(RefusedRowError):
            expand(row)
    for title in ("x" * (MAX_TEXT_BYTES + 1), "\ud800"):
        with pytest.raises(ValueError):
            encode_reply(
                SearchStatus.SUCCESS, (SearchResult(title=title, url="https://e.org/", snippet="", source=""),), NOON, 60
            )
