"""Answers for the tests of reply caches, and records that were planted."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from search_core.domain import SearchResult, SearchStatus, StoredReply

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
REPLY = StoredReply(status=SearchStatus.SUCCESS, results=(HIT,), stored_at=NOON)
GOOD_HIT = {"title": "t", "url": "https://example.org/", "snippet": "", "source": ""}


def record(**changes: object) -> bytes:
    """Return a record of an answer with *changes*, as an attacker would write it."""
    good = {"status": "success", "stored_at": "2026-11-20T12:00:00Z", "results": [GOOD_HIT]}
    return json.dumps(good | changes).encode()


class Bomb:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self):
        return (open, (self.path, "w"))
