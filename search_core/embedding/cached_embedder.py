"""Vectors of texts embedded before, so that no text costs twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from search_core.embedding.embedder import BackgroundEmbedder
from search_core.text.vectors import TextKind, Vectors


class VectorStore(Protocol):
    """Keeps vectors by model and text; a store that cannot be read or written answers as if it were empty."""

    def get_many(self, model: str, texts: Sequence[str]) -> Mapping[int, Vectors]:
        """Return the stored vectors by position in *texts*."""
        ...

    def put_many(self, model: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep one row of *vectors* for each text."""
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
        known = self._store.get_many(key, texts)
        missing = list(dict.fromkeys(text for place, text in enumerate(texts) if place not in known))
        made: dict[str, Vectors] = {}
        if missing:
            fresh = self._embedder.embed(missing, kind)
            self._store.put_many(key, missing, fresh)
            made = dict(zip(missing, fresh, strict=True))
        return np.vstack([known[place] if place in known else made[text] for place, text in enumerate(texts)])
