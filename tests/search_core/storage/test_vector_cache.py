from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.storage import VectorCache


def rows(*values: float) -> np.ndarray:
    return np.array([[value, value + 0.5, -value] for value in values], dtype=np.float32)


@pytest.fixture
def cache(tmp_path: Path):
    opened = VectorCache(tmp_path)
    yield opened
    opened.close()


def again(tmp_path: Path) -> VectorCache:
    """Return a cache with an empty memory over the same file."""
    return VectorCache(tmp_path)


def test_vectors_come_back_exactly_by_place(tmp_path: Path, cache: VectorCache):
    """Known texts are found by their place in the list, from disk as from memory, unknown ones are left out."""
    cache.put_many("m", ["가", "나"], rows(1, 2))
    for one in (cache, again(tmp_path)):
        found = one.get_many("m", ["다", "나", "가", "나"])
        assert sorted(found) == [1, 2, 3]
        assert found[1].dtype == np.float32
        assert found[1].tolist() == found[3].tolist() == [2.0, 2.5, -2.0]
        assert found[2].tolist() == [1.0, 1.5, -1.0]
        one.close()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), unique=True, max_size=8))
def test_no_two_pairs_are_mistaken(pairs: list[tuple[str, str]]):
    """Each (model, text) pair keeps its own vector, whatever characters are in them."""
    cache = VectorCache("/proc/self/none")
    for number, (model, text) in enumerate(pairs):
        cache.put_many(model.replace("\0", ""), ["x" + text], np.full((1, 2), number, dtype=np.float32))
    last = {(model.replace("\0", ""), text): number for number, (model, text) in enumerate(pairs)}
    for (model, text), number in last.items():
        assert cache.get_many(model, ["x" + text])[0].tolist() == [number, number]


def test_a_list_that_does_not_fit_is_not_used(cache: VectorCache):
    """As many vectors as texts must be given; vectors of another model, or whose length changed, are a miss."""
    with pytest.raises(ValueError, match="1 texts but 2 vectors"):
        cache.put_many("m", ["가"], rows(1, 2))
    cache.put_many("m", ["가"], rows(1))
    assert cache.get_many("n", ["가"]) == {}
    cache.put_many("m", ["나"], np.ones((1, 5), dtype=np.float32))
    assert cache.get_many("m", ["가", "나"]) == {}


def test_memory_and_disk_are_bounded(tmp_path: Path):
    """What fell out of memory is read from disk, from which the oldest vectors leave; without a disk memory is left."""
    cache = VectorCache(tmp_path, in_memory=1, on_disk=3)
    for number in range(6):
        cache.put_many("m", [str(number)], rows(number))
    assert cache.get_many("m", ["4"])[0].tolist() == [4.0, 4.5, -4.0]
    cache.close()
    assert sorted(again(tmp_path).get_many("m", [str(number) for number in range(6)])) == [3, 4, 5]
    homeless = VectorCache("/proc/self/none")
    homeless.put_many("m", ["가"], rows(1))
    assert homeless.get_many("m", ["가"])[0].tolist() == [1.0, 1.5, -1.0]


def test_stored_vectors_cannot_be_changed(cache: VectorCache):
    """A caller that writes into what it got does not spoil it for the next, nor does one that changes what it gave."""
    given_rows = rows(1)
    cache.put_many("m", ["가"], given_rows)
    given_rows[:] = 9
    with pytest.raises(ValueError, match="read-only"):
        cache.get_many("m", ["가"])[0][0] = 7
    assert cache.get_many("m", ["가"])[0].tolist() == [1.0, 1.5, -1.0]


@pytest.mark.parametrize("damage", [b"", b"garbage" * 2000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_broken_file_is_a_miss_and_heals(tmp_path: Path, damage: bytes):
    """A broken file counts as empty and is begun anew."""
    (tmp_path / "vectors.sqlite").write_bytes(damage)
    cache = VectorCache(tmp_path)
    assert cache.get_many("m", ["가"]) == {}
    cache.put_many("m", ["가"], rows(1))
    cache.close()
    assert 0 in again(tmp_path).get_many("m", ["가"])


def test_a_planted_vector_is_a_miss(tmp_path: Path, cache: VectorCache):
    """A row of the wrong size or kind is not used."""
    planted = [b"", b"abc", np.array([np.nan], dtype=np.float32).tobytes(), bytes(4 * 10_000), "text"]
    texts = [str(number) for number in range(len(planted))]
    cache.put_many("m", texts, rows(*range(len(planted))))
    cache.close()
    with sqlite3.connect(tmp_path / "vectors.sqlite") as connection:
        connection.executemany("UPDATE vectors SET vector = ? WHERE place = ?", [(row, at) for at, row in enumerate(planted, 1)])
        assert connection.execute("SELECT count(*) FROM vectors WHERE length(vector) = 12").fetchone() == (0,)
    connection.close()
    assert again(tmp_path).get_many("m", texts) == {}


def test_a_lock_held_elsewhere_does_not_stall(tmp_path: Path, cache: VectorCache):
    """While another process holds the file, writing does not wait the five seconds of SQLite, and memory still serves."""
    cache.put_many("m", ["가"], rows(1))
    holder = sqlite3.connect(tmp_path / "vectors.sqlite", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    cache.put_many("m", ["나"], rows(2))
    assert time.monotonic() - began < 2
    assert sorted(cache.get_many("m", ["가", "나"])) == [0, 1]
    holder.close()
