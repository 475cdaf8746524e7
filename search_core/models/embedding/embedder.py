"""Embedders: Kiwi's words, models on this machine, and stored vectors."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from search_core.language.vectors import Embedder, SimilarityLimits, TextKind, Vectors
from search_core.language.words import DIMENSIONS, FIRST_NUMBER, LAST_NUMBER, Word, morpheme_vectors, rarity, readable, words_of
from search_core.runtime import in_turns

_Numbers = NDArray[np.intp]


class BackgroundEmbedder(Embedder, Protocol):
    """An embedder shared by several callers, which lets searches go before background work."""

    @property
    def version(self) -> str:
        """Return what distinguishes its model's files from others with the same name."""
        ...

    def embed_in_background(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, after all waiting searches; raises EmbeddingError."""
        ...


MAX_CHARS = 4000
"""A longer text is cut: no model reads more, and the tokenizer need not either."""
_E5 = re.compile(r"(^|[^a-z])(ko)?e5([^a-z0-9]|$)", re.IGNORECASE)


def prepare_texts(model: str, texts: Sequence[str], kind: TextKind) -> list[str]:
    """Return *texts* in the form for *model*: normalised, limited in length, with its prefix.

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
    """Return the weight of *word*, its dimension and its sign there; signed hashing cancels chance collisions."""
    code = zlib.crc32(word.form.encode())
    return rarity(word), code % _HASHED, 1.0 if code & 0x8000_0000 else -1.0


class KiwiEmbedder:
    """Embeds texts by their Kiwi morphemes: similar texts share words, or words close in meaning; rare words count more."""

    name = "kiwi"
    label = "내장 형태소 분석"
    limits = SimilarityLimits(trust=_WORD_MEAN_TRUST, across_scripts=False)

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:  # noqa: ARG002 - words are words, asked or said
        """Return ``(n, dim)`` float32, rows of length 1; zeros for a text without content."""
        vectors: Vectors = np.zeros((len(texts), _HASHED + DIMENSIONS), dtype=np.float32)
        word_lists = words_of(texts)
        numbered: dict[Word, int] = {}
        codes = np.array(
            [numbered.setdefault(word, len(numbered)) for words in in_turns(word_lists) for word in words], dtype=np.intp
        )
        if numbered:
            rows = np.repeat(np.arange(len(word_lists)), list(map(len, word_lists)))
            once, counts = np.unique(rows * len(numbered) + codes, return_counts=True)
            rows, columns = np.divmod(once, len(numbered))
            rarities, places, signs = map(np.array, zip(*map(_traits, in_turns(numbered)), strict=True))
            numbers = np.array([word.number for word in numbered])
            weights = rarities[columns] * (1 + np.log(counts))
            _spread(vectors[:, :_HASHED], rows, places[columns], signs[columns] * weights)
            _average(vectors[:, _HASHED:], rows, numbers[columns], weights)
            _scale(vectors[:, :_HASHED], sqrt(1 - _MEANING_SHARE))
            _scale(vectors[:, _HASHED:], sqrt(_MEANING_SHARE))
            _scale(vectors, 1.0)
        return vectors


def _spread(into: Vectors, rows: _Numbers, places: _Numbers, weights: NDArray[np.float64]) -> None:
    into[:] = np.bincount(rows * _HASHED + places, weights, minlength=into.size).reshape(into.shape)


def _average(into: Vectors, rows: _Numbers, numbers: _Numbers, weights: NDArray[np.float64]) -> None:
    """Fill *into* with the weighted sums of the vectors of the morphemes *numbers*, row by row."""
    has_vector = (numbers >= FIRST_NUMBER) & (numbers <= LAST_NUMBER)
    if not has_vector.any():
        return
    vectors = morpheme_vectors()
    kinds, places = np.unique(numbers[has_vector], return_inverse=True)
    places = vectors.rows(kinds.tolist())[places]
    shares = weights[has_vector].astype(np.float32)
    bounds = np.searchsorted(rows[has_vector], np.arange(len(into) + 1))
    for row, (first, last) in in_turns(zip(into, pairwise(bounds), strict=True)):
        row[:] = shares[first:last] @ vectors.matrix[places[first:last]]


def _scale(vectors: Vectors, length: float) -> None:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    np.divide(length * vectors, norms, out=vectors, where=norms > 0)


_TAIL_BYTES = 1 << 16
"""Bytes read at the end of each file: weights that were trained further differ there, and a gigabyte need not be read."""


def folder_of(model: str) -> Path | None:
    """Return the folder of a model, given or in the local Hugging Face cache; None if it is not here."""
    if Path(model).is_dir():
        return Path(model)
    try:
        from huggingface_hub import try_to_load_from_cache

        config = try_to_load_from_cache(model, "config.json")
    except (ImportError, ValueError):
        return None  # nothing here has fetched models, or it is not even the form of a model name
    return Path(config).parent if isinstance(config, str) else None


def version_of(files: Path) -> str:
    """Return a digest of the names, sizes and ends of a file or of all files in a folder; equal on every machine.

    Raises OSError.
    """
    digest = hashlib.sha256()
    for path in sorted(path for path in files.rglob("*") if path.is_file()) or [files]:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL_BYTES))
            digest.update(f"{path.name} {size}".encode("utf-8", "replace") + file.read())
    return digest.hexdigest()[:16]


class VectorStore(Protocol):
    """Stores vectors by model and text; a broken store behaves like an empty one."""

    def get_many(self, model: str, texts: Sequence[str]) -> Mapping[int, Vectors]:
        """Return the stored vectors by position in *texts*."""
        ...

    def put_many(self, model: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Store one row of *vectors* for each text."""
        ...


class CachedEmbedder:
    """Embeds only texts whose vectors are not stored yet.

    Vectors are kept under the name of the model and the version of its files.
    """

    def __init__(self, embedder: BackgroundEmbedder, store: VectorStore) -> None:
        self._embedder, self._store = embedder, store
        self.name, self.label, self.limits = embedder.name, embedder.label, embedder.limits

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32; raises EmbeddingError when new texts cannot be embedded."""
        if not texts:
            return self._embedder.embed(texts, kind)
        key = f"{self.name}:{self._embedder.version}:{kind}"
        stored = self._store.get_many(key, texts)
        missing = list(dict.fromkeys(text for place, text in enumerate(texts) if place not in stored))
        made: dict[str, Vectors] = {}
        if missing:
            fresh = self._embedder.embed(missing, kind)
            self._store.put_many(key, missing, fresh)
            made = dict(zip(missing, fresh, strict=True))
        return np.vstack([stored[place] if place in stored else made[text] for place, text in enumerate(texts)])
