"""Lists of claims kept on disk."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from search_core.domain import Claim, ClaimMoment, FoundClaims, TranscriptSegment, VideoContext
from search_core.storage import FoundClaimsCache

VIDEO = VideoContext(title="강연", transcript=(TranscriptSegment(1, 4, "이익은 3조 원이에요."),))
CLAIM = Claim(number=3, text="이익은 3조 원이다.", moments=(ClaimMoment(1, 4, "이익은 3조 원이에요."),), score=0.8)
FOUND = FoundClaims(claims=(CLAIM,), sentences=9, by_meaning=0.5, notes=("알림",), complete=False, before=(CLAIM,))


def test_a_list_comes_back_as_it_was(tmp_path: Path):
    """For the same words, found by the same weights; for others there is none."""
    with closing(FoundClaimsCache(tmp_path)) as kept:
        kept.put(VIDEO, "weights", FOUND)
    with closing(FoundClaimsCache(tmp_path)) as kept:
        assert kept.get(VIDEO, "weights") == FOUND
        assert kept.get(VIDEO, "other weights") is None
        assert kept.get(VideoContext(title="강연", transcript=(TranscriptSegment(1, 4, "이익은 5조 원."),)), "weights") is None


def test_what_cannot_be_read_is_not_kept(tmp_path: Path):
    """A damaged row is a miss, and a list can be kept in its place."""
    with closing(FoundClaimsCache(tmp_path)) as kept:
        kept.put(VIDEO, "weights", FOUND)
    with closing(sqlite3.connect(tmp_path / "claims.sqlite")) as file, file:
        file.execute("UPDATE entries SET value = ?", (b'{"claims": [{"number": "x"',))
    with closing(FoundClaimsCache(tmp_path)) as kept:
        assert kept.get(VIDEO, "weights") is None
        kept.put(VIDEO, "weights", FOUND)
        assert kept.get(VIDEO, "weights") == FOUND
