"""What it takes to turn texts into vectors."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from math import sqrt
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from search_core.runtime import in_turns
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
        said = words_of(texts)
        words = list(dict.fromkeys(chain.from_iterable(said)))
        if words:
            counted = _count(said, words)
            _spread(vectors[:, :_HASHED], words, counted)
            _average(vectors[:, _HASHED:], words, counted)
            _scale(vectors[:, :_HASHED], sqrt(1 - _MEANING_SHARE))
            _scale(vectors[:, _HASHED:], sqrt(_MEANING_SHARE))
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors


class _Counted(NamedTuple):
    """The words of texts, an entry for each word of each text: the text's place, the word's, and how much it counts there."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    weights: NDArray[np.float64]


def _count(said: Sequence[Sequence[Word]], words: Sequence[Word]) -> _Counted:
    """Return how much each of *words* counts in each text, in the order in which they are first said."""
    column = {word: place for place, word in enumerate(words)}
    columns = np.array([column[word] for each in in_turns(said) for word in each])
    rows = np.repeat(np.arange(len(said)), list(map(len, said)))
    _, firsts, counts = np.unique(rows * len(words) + columns, return_index=True, return_counts=True)
    order = np.argsort(firsts)
    rows, columns = rows[firsts[order]], columns[firsts[order]]
    rarities = np.array([rarity(word) for word in words])
    return _Counted(rows, columns, rarities[columns] * (1 + np.log(counts[order])))


def _spread(into: Vectors, words: Sequence[Word], counted: _Counted) -> None:
    places, signs = (np.array(each) for each in zip(*(_place(word.form) for word in words), strict=True))
    sums: Vectors = np.zeros(into.size, dtype=np.float32)
    signed = signs[counted.columns] * counted.weights
    np.add.at(sums, counted.rows * _HASHED + places[counted.columns], signed.astype(np.float32))
    into[:] = sums.reshape(into.shape)


def _average(into: Vectors, words: Sequence[Word], counted: _Counted) -> None:
    meant = np.array([known(word.number) for word in words])
    if not meant.any():
        return
    vectors = morpheme_vectors()
    places = np.zeros(len(words), dtype=np.intp)
    places[meant] = vectors.rows([word.number for word in words if known(word.number)])
    kept = meant[counted.columns]
    weights, places = counted.weights[kept].astype(np.float32), places[counted.columns[kept]]
    bounds = np.searchsorted(counted.rows[kept], np.arange(len(into) + 1))
    for row, (first, last) in in_turns(zip(into, pairwise(bounds), strict=True)):
        row[:] = weights[first:last] @ vectors.matrix[places[first:last]]


def _scale(vectors: Vectors, length: float) -> None:
    for vector in vectors:
        norm = float(np.linalg.norm(vector))
        if norm > 0:
            vector *= length / norm
