from __future__ import annotations

import zlib
from datetime import UTC, datetime, timedelta

import pytest

from search_core.domain import SearchResult, SearchStatus
from search_core.storage.kept_row import (
    MAX_STORED_BYTES,
    MAX_TEXT_BYTES,
    RefusedRowError,
    compress,
    decode_reply,
    encode_reply,
    expand,
)

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HIT = SearchResult(title="제목", url="https://example.org/", snippet="본문", source="example.org", relevance_score=0.9)


def test_what_is_encoded_is_decoded():
    """An answer comes back with its hits, but without the scores, which belong to one question."""
    kept = decode_reply(encode_reply(SearchStatus.SUCCESS, (HIT,), NOON, 60), NOON)
    assert (kept.status, kept.stored_at, kept.fresh) == (SearchStatus.SUCCESS, NOON, True)
    assert [(hit.title, hit.url, hit.relevance_score) for hit in kept.results] == [("제목", "https://example.org/", None)]


@pytest.mark.parametrize(("ahead", "there"), [(timedelta(hours=25), True), (timedelta(hours=25, seconds=1), False)])
def test_a_row_of_the_far_future_is_not_believed(ahead: timedelta, there: bool):
    """A row may be 25 hours ahead, for the clock may have been set back a day, and no more."""
    assert (decode_reply(encode_reply(SearchStatus.SUCCESS, (HIT,), NOON + ahead, 60), NOON) is not None) is there


def test_an_error_does_not_repeat_the_row():
    """What is said of a row that cannot be read holds nothing of the row."""
    with pytest.raises(RefusedRowError) as caught:
        decode_reply(compress(b'{"format": 1, "status": "a secret question"}'), NOON)
    assert "secret" not in str(caught.value)


def test_sizes_are_bounded_both_ways():
    """What would be too large to be read is not written, and what is larger is not expanded."""
    assert expand(compress(b"x" * MAX_TEXT_BYTES)) == b"x" * MAX_TEXT_BYTES
    with pytest.raises(RefusedRowError):
        compress(b"x" * (MAX_TEXT_BYTES + 1))
    for row in (zlib.compress(b"x" * (MAX_TEXT_BYTES + 1)), bytes(MAX_STORED_BYTES + 1), b"", b"x"):
        with pytest.raises(RefusedRowError):
            expand(row)
