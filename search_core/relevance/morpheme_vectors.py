"""The vectors of Kiwi's language model, recovered from the similarities it returns.

Kiwi's CoNgram model (kiwipiepy 0.24) holds a 256-dimensional vector for each numbered morpheme and tells the inner product of any
two, but not the vectors. Those follow, up to a rotation, from the inner products with enough independent landmarks (classical
scaling: K = V V', so the rows of K(x, landmarks) · K^(-1/2) have the inner products asked for).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from search_core.korean.morphemes import kiwi
from search_core.relevance.embedder import Vectors
from search_core.relevance.rarity import FIRST_NUMBER, LAST_NUMBER

DIMENSIONS = 256
_LANDMARKS = range(600, 38_000, 125)
"""300 of them, spread over frequent and rare words: more than 256, because neighbours are not independent."""
_SAMPLE = range(200, 24_000, 31)
"""The words whose mean counts as the common part of all vectors."""


class MorphemeVectors:
    """Gives vectors of morphemes by number, each recovered once: unit rows, without the part that all words share."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[int, int] = {}
        self._matrix: Vectors = np.zeros((4096, DIMENSIONS), dtype=np.float32)
        self._similarity = kiwi().morpheme_similarity
        gram = self._inner_products(_LANDMARKS)
        values, axes = np.linalg.eigh((gram + gram.T) / 2)
        self._unfold = axes[:, -DIMENSIONS:] / np.sqrt(values[-DIMENSIONS:])
        self._common = (self._inner_products(_SAMPLE) @ self._unfold).mean(axis=0)

    def rows(self, numbers: Sequence[int]) -> NDArray[np.intp]:
        """Return where in ``matrix`` the vectors of *numbers* are; each must be one that ``known`` accepts."""
        with self._lock:
            unseen = [number for number in dict.fromkeys(numbers) if number not in self._rows]
            if unseen:
                self._recover(unseen)
            return np.fromiter((self._rows[number] for number in numbers), dtype=np.intp, count=len(numbers))

    @property
    def matrix(self) -> Vectors:
        """Return the vectors recovered so far, one a row; it only grows."""
        return self._matrix

    def _recover(self, numbers: Sequence[int]) -> None:
        vectors = self._inner_products(numbers) @ self._unfold - self._common
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        first = len(self._rows)
        if first + len(numbers) > len(self._matrix):
            grown: Vectors = np.zeros((2 * (first + len(numbers)), DIMENSIONS), dtype=np.float32)
            grown[:first] = self._matrix[:first]
            self._matrix = grown
        self._matrix[first : first + len(numbers)] = vectors
        self._rows.update(zip(numbers, range(first, first + len(numbers)), strict=True))

    def _inner_products(self, numbers: Sequence[int]) -> NDArray[np.float64]:
        similarity = self._similarity
        return np.array([[1.0 if a == b else similarity(a, b) for b in _LANDMARKS] for a in numbers])


def known(number: int) -> bool:
    """Return whether Kiwi's model has a vector for the morpheme."""
    return FIRST_NUMBER <= number <= LAST_NUMBER


_lock = threading.Lock()
_recovered: list[MorphemeVectors] = []


def morpheme_vectors() -> MorphemeVectors:
    """Return the vectors of the process; the first call takes half a second."""
    with _lock:
        if not _recovered:
            _recovered.append(MorphemeVectors())
        return _recovered[0]
