"""Answers for the tests of reply caches, and rows that were planted."""

from __future__ import annotations

import json
import zlib
from datetime import UTC, datetime
from pathlib import Path

from search_core.domain import SearchResult

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HIT = SearchResult(
    title="HBM4 표준 발표",
    url="https://example.org/hbm4",
    snippet="폭이 2048비트로 늘었다.",
    source="example.org",
    publish_date=datetime(2025, 4, 16, tzinfo=UTC),
    language="ko",
    providers=("wikipedia",),
    ranks=(("wikipedia", 1),),
)
GOOD_HIT = {
    "title": "t",
    "url": "https://example.org/",
    "snippet": "",
    "source": "",
    "publish_date": None,
    "language": "",
    "providers": [],
    "ranks": [],
}
GOOD_ROW = {
    "format": 1,
    "status": "success",
    "stored_at": "2026-11-20T12:00:00Z",
    "fresh_until": "2026-11-20T13:00:00Z",
    "results": [GOOD_HIT],
}


def packed(**changes: object) -> bytes:
    """Return a good row with *changes*, compressed as the caches do it."""
    return zlib.compress(json.dumps(GOOD_ROW | changes).encode())


class Bomb:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self):
        return (open, (self.path, "w"))
