"""What it takes to turn texts into vectors."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, pairwise
from math import sqrt
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from search_core.runtime import in_turns
from search_core.text.vectors import Embedder, SimilarityLimits, TextKind, Vectors
from search_core.text.words import DIMENSIONS, FIRST_NUMBER, LAST_NUMBER, Word, morpheme_vectors, rarity, readable, words_of

_Numbers = NDArray[np.intp]


class BackgroundEmbedder(Embedder, Protocol):
    """An embedder that several callers share, and that lets background work wait."""

    @property
    def version(self) -> str:
        """Return what tells the files of its model from others under the same name."""
        ...

    def embed_in_background(self, texts: Sequence[str]) -> Vectors:
        """Return what ``embed`` does of passages, after all that searches wait for; raises EmbeddingError."""
        ...


MAX_CHARS = 4000
"""More than any such model reads; spares the tokenizer."""
_E5 = re.compile(r"(^|[^a-z])(ko)?e5([^a-z0-9]|$)", re.IGNORECASE)


def prepare_texts(model: str, texts: Sequence[str], kind: TextKind) -> list[str]:
    """Return *texts* as *model* is given them, wherever it runs: readable, not endless, with its prefix.

    E5 models want ``query: `` or ``passage: `` in front (the model card of intfloat/multilingual-e5-small, read 2026-11-20).
    """
    prefix = f"{kind}: " if _E5.search(Path(model).name) else ""
    return [prefix + readable(text[:MAX_CHARS]) for text in texts]


_HASHED = 512
_MEANING_SHARE = 0.5
"""Share of similarity that comes from meaning; the rest from words in common."""

_WORD_MEAN_TRUST = 0.35
"""How much the mean of word vectors says beyond the words in common; the best share on the development sets."""


@lru_cache(maxsize=32_768)
def _traits(word: Word) -> tuple[float, int, float]:
    """Return how telling *word* is, its dimension and its sign there; signed hashing keeps chance collisions from adding up."""
    code = zlib.crc32(word.form.encode())
    return rarity(word), code % _HASHED, 1.0 if code & 0x8000_0000 else -1.0


class KiwiEmbedder:
    """Embeds texts by their Kiwi morphemes: similar texts share words, or words close in meaning; rare words count more."""

    name = "kiwi"
    label = "내장 형태소 분석"
    limits = SimilarityLimits(trust=_WORD_MEAN_TRUST, across_scripts=False)

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:  # noqa: ARG002 - words are words, asked or said
        """Return ``(n, dim)`` float32, rows of length 1; a text without content gives a zero row."""
        vectors: Vectors = np.zeros((len(texts), _HASHED + DIMENSIONS), dtype=np.float32)
        said = [Counter(words) for words in in_turns(words_of(texts))]
        vocabulary = list(dict.fromkeys(chain.from_iterable(said)))
        if vocabulary:
            column = {word: place for place, word in enumerate(vocabulary)}
            columns = np.array([column[word] for each in in_turns(said) for word in each])
            rows = np.repeat(np.arange(len(said)), list(map(len, said)))
            counts = np.array([count for each in said for count in each.values()])
            rarities, places, signs = map(np.array, zip(*map(_traits, vocabulary), strict=True))
            numbers = np.array([word.number for word in vocabulary])
            weights = rarities[columns] * (1 + np.log(counts))
            _spread(vectors[:, :_HASHED], rows, places[columns], signs[columns] * weights)
            _average(vectors[:, _HASHED:], rows, numbers[columns], weights)
            _scale(vectors[:, :_HASHED], sqrt(1 - _MEANING_SHARE))
            _scale(vectors[:, _HASHED:], sqrt(_MEANING_SHARE))
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors


def _spread(into: Vectors, rows: _Numbers, places: _Numbers, weights: NDArray[np.float64]) -> None:
    """Fill *into* with the sums of *weights* by row and place."""
    sums: Vectors = np.zeros(into.size, dtype=np.float32)
    np.add.at(sums, rows * _HASHED + places, weights.astype(np.float32))
    into[:] = sums.reshape(into.shape)


def _average(into: Vectors, rows: _Numbers, numbers: _Numbers, weights: NDArray[np.float64]) -> None:
    """Fill *into* with the sums of the vectors of the morphemes of those *numbers*, by row and *weights*."""
    meant = (numbers >= FIRST_NUMBER) & (numbers <= LAST_NUMBER)
    if not meant.any():
        return
    vectors = morpheme_vectors()
    kinds, places = np.unique(numbers[meant], return_inverse=True)
    places = vectors.rows(kinds.tolist())[places]
    shares = weights[meant].astype(np.float32)
    bounds = np.searchsorted(rows[meant], np.arange(len(into) + 1))
    for row, (first, last) in in_turns(zip(into, pairwise(bounds), strict=True)):
        row[:] = shares[first:last] @ vectors.matrix[places[first:last]]


def _scale(vectors: Vectors, length: float) -> None:
    for vector in vectors:
        norm = float(np.linalg.norm(vector))
        if norm > 0:
            vector *= length / norm
