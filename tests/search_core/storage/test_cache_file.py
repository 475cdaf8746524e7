"""Vectors and lists of claims kept on disk; what they share with kept answers is in ``test_reply_cache``."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from search_core.domain.claim import Claim, ClaimMoment, FoundClaims
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.storage.cache_file import VectorCache
from search_core.storage.videos import MAX_AGE_S, FoundClaimsCache, StoredVideo, VideoStore


def rows(*values: float) -> np.ndarray:
    return np.array([[value, value + 0.5, -value] for value in values], dtype=np.float32)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[VectorCache]:
    with closing(VectorCache(tmp_path)) as opened:
        yield opened


def test_vectors_come_back_exactly_by_place(tmp_path: Path, cache: VectorCache):
    """Known texts are found by their place in the list, by another process too, unknown ones are left out."""
    cache.put_many("m", ["가", "나"], rows(1, 2))
    for one in (cache, VectorCache(tmp_path)):
        found = one.get_many("m", ["다", "나", "가", "나"])
        assert {place: vector.tolist() for place, vector in found.items()} == {
            1: [2.0, 2.5, -2.0],
            2: [1.0, 1.5, -1.0],
            3: [2.0, 2.5, -2.0],
        }
        assert one.get_many("n", ["가"]) == {}
        one.close()


def test_a_list_that_does_not_fit_is_not_used(cache: VectorCache):
    """As many vectors as texts must be given; vectors whose length changed are a miss, and all are without a disk."""
    with pytest.raises(ValueError, match="1 texts but 2 vectors"):
        cache.put_many("m", ["가"], rows(1, 2))
    cache.put_many("m", ["가"], rows(1))
    cache.put_many("m", ["나"], np.ones((1, 5), dtype=np.float32))
    assert cache.get_many("m", ["가", "나"]) == {}
    nowhere = VectorCache("/proc/self/none")
    nowhere.put_many("m", ["가"], rows(1))
    assert nowhere.get_many("m", ["가"]) == {}


def test_the_disk_is_bounded(tmp_path: Path):
    """The oldest vectors leave."""
    with closing(VectorCache(tmp_path, max_bytes=200_000)) as cache:
        for number in range(200):
            cache.put_many("m", [str(number)], np.full((1, 1000), number, dtype=np.float32))
        found = cache.get_many("m", [str(number) for number in range(200)])
        assert list(found) == list(range(200))[-len(found) :]
        assert 10 < len(found) < 50


def test_a_planted_vector_is_a_miss(tmp_path: Path, cache: VectorCache):
    """A row of the wrong size or kind is not used."""
    planted = [b"", b"abc", np.array([np.nan], dtype=np.float32).tobytes(), bytes(4 * 10_000), "text"]
    texts = [str(number) for number in range(len(planted))]
    cache.put_many("m", texts, rows(*range(len(planted))))
    cache.close()
    with closing(sqlite3.connect(tmp_path / "vectors.sqlite")) as connection, connection:
        connection.executemany("UPDATE entries SET value = ? WHERE place = ?", [(row, at) for at, row in enumerate(planted, 1)])
        assert connection.execute("SELECT count(*) FROM entries WHERE length(value) = 12").fetchone() == (0,)
    with closing(VectorCache(tmp_path)) as fresh:
        assert fresh.get_many("m", texts) == {}


VIDEO = VideoContext(title="강연", transcript=(TranscriptSegment(1, 4, "이익은 3조 원이에요."),))
CLAIM = Claim(number=3, text="이익은 3조 원이다.", moments=(ClaimMoment(1, 4, "이익은 3조 원이에요."),), score=0.8)
FOUND = FoundClaims(claims=(CLAIM,), sentences=9, by_meaning=0.5, notes=("알림",), complete=False, before=(CLAIM,))


def test_a_list_is_kept_as_long_as_an_opened_video(tmp_path: Path):
    """A list is there for its words and weights until its time has passed, and then a miss, whose place the next write clears."""
    for passed_s, found in ((MAX_AGE_S - 60, FOUND), (MAX_AGE_S + 1, None)):
        with closing(FoundClaimsCache(tmp_path)) as kept:
            kept.put(VIDEO, "weights", FOUND)
        with closing(sqlite3.connect(tmp_path / "claims.sqlite")) as file, file:
            file.execute("UPDATE entries SET expires = expires - ?", (passed_s,))
        with closing(FoundClaimsCache(tmp_path)) as kept:
            assert kept.get(VIDEO, "weights") == found
            assert kept.get(VIDEO, "other weights") is None
            assert kept.get(replace(VIDEO, title="다른 강연"), "weights") is None
    with closing(FoundClaimsCache(tmp_path)) as kept:
        kept.put(VIDEO, "other weights", FOUND)
    with closing(sqlite3.connect(tmp_path / "claims.sqlite")) as file:
        assert file.execute("SELECT count(*) FROM entries").fetchone() == (1,)


def test_an_opened_video_comes_back_for_its_owner_alone(tmp_path: Path):
    """The key leads its owner to an equal video, after the process too, and nobody else to anything; the last five are listed.

    What is kept is closed to other users of the machine; what is broken or cannot be kept is none.
    """
    with closing(VideoStore(tmp_path)) as first:
        keys = [first.keep(VideoContext(video_id=f"video-{number}", title=f"영상 {number}"), "kim") for number in (*range(7), 4)]
    with closing(VideoStore(tmp_path)) as store:
        assert store.open(keys[0], "kim") == VideoContext(video_id="video-0", title="영상 0")
        assert [each.title for each in store.recent("kim")] == ["영상 4", "영상 6", "영상 5", "영상 3", "영상 2"]
        assert store.recent("kim")[0] == StoredVideo(keys[4], "영상 4")
        assert (store.open(keys[0], "lee"), store.recent("lee"), store.open("../secret", "kim")) == (None, (), None)
    assert (tmp_path / "videos.sqlite").stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(tmp_path / "videos.sqlite", isolation_level=None)) as connection:
        connection.execute("UPDATE entries SET value = x'7b'")
    with closing(VideoStore(tmp_path)) as store:
        assert (store.open(keys[0], "kim"), store.recent("kim")) == (None, ())
    assert VideoStore(Path("/proc/self/none")).keep(VideoContext(title="x"), "") == ""
