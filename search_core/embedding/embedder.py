"""What it takes to turn texts into vectors."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from search_core.text.words import DIMENSIONS, Word, known, morpheme_vectors, rarity, readable, words_of

Vectors = NDArray[np.float32]
TextKind = Literal["query", "passage"]


@dataclass(frozen=True, slots=True)
class ScorerLimits:
    """How far the similarities of an embedder carry by themselves."""

    trust: float
    """Share in [0, 1] of what they say that is to be believed beyond the words two texts have in common."""
    across_scripts: bool
    """Whether they say anything about a text in Hangul and one without."""


TRAINED = ScorerLimits(trust=1.0, across_scripts=True)
"""What models reach that were trained on the meaning of whole texts in several languages."""


class Embedder(Protocol):
    """Turns texts into vectors whose inner product is their similarity."""

    name: str
    """Stable; vectors of two embedders of one name can be compared."""
    label: str
    """What the page calls this embedder, in Korean."""
    reach: ScorerLimits
    """How far the similarities of the vectors carry."""

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32, rows of length 1; a text without content gives a zero row.

        Raises EmbeddingError when the texts cannot be embedded.
        """
        ...


class BackgroundEmbedder(Embedder, Protocol):
    """An embedder that several callers share, and that lets background work wait."""

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
