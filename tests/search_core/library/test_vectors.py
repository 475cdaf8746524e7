"""Vectors of passages packed, read again and compared with a question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from search_core.library.vectors import NearPassage, Passages, VectorRow, nearest, pack_vectors, unpack_rows

EAST, NORTH = np.array([1, 0], dtype=np.float32), np.array([0, 1], dtype=np.float32)


def direction(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)


def row(number: int, *vectors: np.ndarray, korean: bool = True, document: int = 0, collection: int = 0) -> VectorRow:
    packed = pack_vectors(np.stack(vectors), [korean] * len(vectors))
    return VectorRow(number, 100 + number, document or 200 + number, collection, packed)


def near(
    passages: Passages, limit: int = 9, least: float = -1.0, collections: Sequence[int] = (0, 1)
) -> dict[bool, list[NearPassage]]:
    """Ask for what lies to the east among Korean passages, and to the north, a half further, among others."""
    return nearest(passages, {True: (EAST, 0.0), False: (NORTH, 0.5)}, limit, least=least, collections=collections)


def test_a_packed_vector_keeps_its_direction():
    """A hundred random vectors of 384 numbers come back within a thousandth and take 389 bytes each."""
    vectors = np.random.default_rng(1).normal(size=(100, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    packed = pack_vectors(vectors, [True] * 100)
    assert len(packed) == 38_900
    passages = unpack_rows([VectorRow(1, 1, 1, 0, packed)], 384)
    read = passages.values * passages.about["scale"][:, None]
    assert (read * vectors).sum(axis=1) == pytest.approx(np.ones(100), abs=1e-3)


def test_the_nearest_come_first_each_document_once():
    """Each language has its own list and direction; of the passages of one document the nearest counts."""
    korean = [row(1, NORTH, direction(0.3), document=7), row(2, direction(0.6), document=7), row(3, direction(0.4))]
    others = [row(4, direction(0.2), korean=False), row(5, NORTH, korean=False)]
    passages = unpack_rows([*korean, *others], 2)
    assert near(passages) == {
        True: [NearPassage(101, 1), NearPassage(103, 0)],
        False: [NearPassage(105, 0), NearPassage(104, 0)],
    }
    assert near(passages, limit=1)[True] == [NearPassage(101, 1)]


def test_what_is_far_and_what_is_of_another_collection_is_left_out():
    """The cosine of 1 radian is .54: under a bound of .6 it is no neighbour. Only collections asked for are looked at."""
    passages = unpack_rows([row(1, direction(1.0)), row(2, direction(0.1), collection=1)], 2)
    assert near(passages, least=0.6)[True] == [NearPassage(102, 0)]
    assert near(passages, collections=[0])[True] == [NearPassage(101, 0)]


def test_a_passage_without_meaning_is_kept_and_never_near():
    """A vector of zeros, or of no numbers, is what the model gives: it is not made again and again, and found by no question."""
    passages = unpack_rows([row(1, np.zeros(2, dtype=np.float32), np.full(2, np.nan, dtype=np.float32))], 2)
    assert len(passages.values) == 2
    assert nearest(passages, {True: (EAST, 0.1), False: (NORTH, 0.1)}, 9, least=0.3, collections=[0]) == {True: [], False: []}
