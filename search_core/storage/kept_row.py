"""Answers as compressed JSON, the form in which they are kept on disk and in Redis, and what of it is believed."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from search_core.domain import KeptReply, SearchResult, SearchStatus

STALE_FOR = timedelta(hours=24)
"""How long past its lifetime an answer is kept to stand in for a failed request (RFC 5861, stale-if-error)."""
FORMAT = 1
MAX_STORED_BYTES = 1 << 20
"""Fifty long results take about 20 kB compressed; anything near a megabyte was not put there by us."""
MAX_TEXT_BYTES = 8 << 20
_CLOCK_SLACK = timedelta(hours=25)
"""An answer stored this far in the future was written before the clock was set back; further ahead it is not believed."""


class RefusedRowError(ValueError):
    """Says that a row was not written by us, or is too large; it is not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hit:
    """What a provider gave for one hit; scores are never kept, they depend on the question and the video."""

    title: str
    url: str
    snippet: str
    source: str
    publish_date: AwareDatetime | None
    language: str
    providers: tuple[str, ...]
    ranks: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    format: int
    status: SearchStatus
    stored_at: AwareDatetime
    fresh_until: AwareDatetime
    results: tuple[_Hit, ...] = field(default=())


_rows = TypeAdapter(_Row)
_HIT_FIELDS = tuple(one.name for one in fields(_Hit))


def written(status: SearchStatus, results: tuple[SearchResult, ...], now: datetime, ttl_s: float) -> bytes:
    """Return an answer as JSON, fresh for *ttl_s* seconds from *now*.

    Raises ValueError for text that is no Unicode, such as a lone surrogate.
    """
    hits = tuple(_Hit(**{name: getattr(result, name) for name in _HIT_FIELDS}) for result in results)
    row = _Row(format=FORMAT, status=status, stored_at=now, fresh_until=now + timedelta(seconds=ttl_s), results=hits)
    return _rows.dump_json(row)


def believed(text: bytes, now: datetime) -> KeptReply | None:
    """Return the answer in *text*, or None for one that is too old, from a far future or not of a kind that is ever kept.

    Raises ValueError for anything that ``written`` does not write.
    """
    try:
        row = _rows.validate_json(text)
    except ValidationError:
        raise RefusedRowError("the row is in a form that is never written") from None  # what it says would repeat the row
    if row.format != FORMAT or not row.status.answered:
        return None
    if row.stored_at > now + _CLOCK_SLACK or now - STALE_FOR >= row.fresh_until:
        return None
    if any(urlsplit(hit.url).scheme not in ("http", "https") for hit in row.results):
        return None
    results = tuple(SearchResult(**{name: getattr(hit, name) for name in _HIT_FIELDS}) for hit in row.results)
    return KeptReply(status=row.status, results=results, stored_at=row.stored_at, fresh=now < row.fresh_until)


def compress(text: bytes) -> bytes:
    """Return *text* compressed; raises RefusedRowError when it is too large to be kept."""
    packed = zlib.compress(text, 1) if len(text) <= MAX_TEXT_BYTES else b""
    if not packed or len(packed) > MAX_STORED_BYTES:
        raise RefusedRowError("the value is too large to be kept")
    return packed


def expand(packed: bytes) -> bytes:
    """Return what was compressed; raises RefusedRowError for what is damaged, cut or larger than ever written."""
    if len(packed) > MAX_STORED_BYTES:
        raise RefusedRowError("the row is larger than any that is written")
    inflater = zlib.decompressobj()
    try:
        text = inflater.decompress(packed, MAX_TEXT_BYTES)
    except zlib.error as error:
        raise RefusedRowError("the row is damaged") from error
    if not inflater.eof:
        raise RefusedRowError("the row is cut or expands beyond measure")
    return text
