"""The embedded default: texts as hashed words and as the mean of Kiwi's word vectors, no model to download."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import log, sqrt

import numpy as np

from search_core.relevance.embedder import ScorerLimits, TextKind, Vectors
from search_core.relevance.words import DIMENSIONS, Word, known, morpheme_vectors, rarity, words_of

_HASHED = 512
_MEANING_SHARE = 0.5
"""Share of similarity that comes from meaning; the rest from words in common."""

_WORD_MEAN_TRUST = 0.35
"""How much the mean of word vectors says beyond the words in common; the best share on the development sets."""


@lru_cache(maxsize=65_536)
def _place(form: str) -> tuple[int, float]:
    """Return the dimension of *form* and its sign; signed hashing keeps chance collisions from adding up."""
    code = zlib.crc32(form.encode())
    return code % _HASHED, 1.0 if code & 0x8000_0000 else -1.0


class KiwiEmbedder:
    """Embeds texts by their Kiwi morphemes: similar texts share words, or words close in meaning; rare words count more."""

    name = "kiwi"
    label = "내장 형태소 분석"
    reach = ScorerLimits(trust=_WORD_MEAN_TRUST, across_scripts=False)

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:  # noqa: ARG002 - words are words, asked or said
        """Return ``(n, dim)`` float32, rows of length 1; a text without content gives a zero row."""
        vectors: Vectors = np.zeros((len(texts), _HASHED + DIMENSIONS), dtype=np.float32)
        for row, words in enumerate(words_of(texts)):
            weights = {word: rarity(word) * (1 + log(count)) for word, count in Counter(words).items()}
            _spread(vectors[row, :_HASHED], weights, sqrt(1 - _MEANING_SHARE))
            _average(vectors[row, _HASHED:], weights, sqrt(_MEANING_SHARE))
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors


def _spread(into: Vectors, weights: dict[Word, float], length: float) -> None:
    for word, weight in weights.items():
        place, sign = _place(word.form)
        into[place] += sign * weight
    _scale(into, length)


def _average(into: Vectors, weights: dict[Word, float], length: float) -> None:
    meant = {word: weight for word, weight in weights.items() if known(word.number)}
    if not meant:
        return
    vectors = morpheme_vectors()
    rows = vectors.rows([word.number for word in meant])
    into += np.fromiter(meant.values(), dtype=np.float32, count=len(meant)) @ vectors.matrix[rows]
    _scale(into, length)


def _scale(vector: Vectors, length: float) -> None:
    norm = float(np.linalg.norm(vector))
    if norm > 0:
        vector *= length / norm
