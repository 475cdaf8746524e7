from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from search_core.storage import VectorCache


def rows(*values: float) -> np.ndarray:
    return np.array([[value, value + 0.5, -value] for value in values], dtype=np.float32)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[VectorCache]:
    with closing(VectorCache(tmp_path)) as opened:
        yield opened


def again(tmp_path: Path) -> VectorCache:
    """Return a cache with an empty memory over the same file."""
    return VectorCache(tmp_path)


def test_vectors_come_back_exactly_by_place(tmp_path: Path, cache: VectorCache):
    """Known texts are found by their place in the list, from disk as from memory, unknown ones are left out."""
    cache.put_many("m", ["가", "나"], rows(1, 2))
    for one in (cache, again(tmp_path)):
        found = one.get_many("m", ["다", "나", "가", "나"])
        assert {place: vector.tolist() for place, vector in found.items()} == {
            1: [2.0, 2.5, -2.0],
            2: [1.0, 1.5, -1.0],
            3: [2.0, 2.5, -2.0],
        }
        assert one.get_many("n", ["가"]) == {}
        one.close()


def test_a_list_that_does_not_fit_is_not_used():
    """As many vectors as texts must be given; vectors whose length changed are a miss; without a disk memory is left."""
    cache = VectorCache("/proc/self/none")
    with pytest.raises(ValueError, match="1 texts but 2 vectors"):
        cache.put_many("m", ["가"], rows(1, 2))
    cache.put_many("m", ["가"], rows(1))
    assert list(cache.get_many("m", ["가"])) == [0]
    cache.put_many("m", ["나"], np.ones((1, 5), dtype=np.float32))
    assert cache.get_many("m", ["가", "나"]) == {}


def test_memory_and_disk_are_bounded(tmp_path: Path):
    """What fell out of memory is read from disk, from which the oldest vectors leave."""
    with closing(VectorCache(tmp_path, in_memory=1, max_bytes=200_000)) as cache:
        for number in range(200):
            cache.put_many("m", [str(number)], np.full((1, 1000), number, dtype=np.float32))
        assert cache.get_many("m", ["198"])[0].tolist() == [198.0] * 1000
    with closing(again(tmp_path)) as cache:
        found = cache.get_many("m", [str(number) for number in range(200)])
        assert list(found) == list(range(200))[-len(found) :]
        assert 10 < len(found) < 50


def test_a_broken_file_is_a_miss_and_heals(tmp_path: Path):
    """A broken file counts as empty and is begun anew."""
    (tmp_path / "vectors.sqlite").write_bytes(b"garbage" * 2000)
    with closing(again(tmp_path)) as cache:
        assert cache.get_many("m", ["가"]) == {}
        cache.put_many("m", ["가"], rows(1))
    with closing(again(tmp_path)) as cache:
        assert 0 in cache.get_many("m", ["가"])


def test_a_planted_vector_is_a_miss(tmp_path: Path, cache: VectorCache):
    """A row of the wrong size or kind is not used."""
    planted = [b"", b"abc", np.array([np.nan], dtype=np.float32).tobytes(), bytes(4 * 10_000), "text"]
    texts = [str(number) for number in range(len(planted))]
    cache.put_many("m", texts, rows(*range(len(planted))))
    cache.close()
    with closing(sqlite3.connect(tmp_path / "vectors.sqlite")) as connection, connection:
        connection.executemany("UPDATE entries SET value = ? WHERE place = ?", [(row, at) for at, row in enumerate(planted, 1)])
        assert connection.execute("SELECT count(*) FROM entries WHERE length(value) = 12").fetchone() == (0,)
    with closing(again(tmp_path)) as fresh:
        assert fresh.get_many("m", texts) == {}
