"""Vectors of texts embedded before and of those being embedded now, so that no text costs twice."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

import numpy as np

from search_core.embedding.embedder import BackgroundEmbedder, TextKind, Vectors


class VectorStore(Protocol):
    """Keeps vectors by model and text; a store that cannot be read or written answers as if it were empty."""

    def get_many(self, model: str, texts: Sequence[str]) -> Mapping[int, Vectors]:
        """Return the stored vectors by position in *texts*."""
        ...

    def put_many(self, model: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep one row of *vectors* for each text."""
        ...


class CachedEmbedder:
    """Embeds only texts whose vectors are not stored yet, each once however many ask for it at once.

    Vectors are kept under the name of the model and the version of its files.
    """

    def __init__(self, embedder: BackgroundEmbedder, store: VectorStore) -> None:
        self._embedder, self._store = embedder, store
        self.name, self.label, self.reach = embedder.name, embedder.label, embedder.reach
        self._lock = threading.Lock()
        self._under_way: dict[tuple[str, str], Future[Vectors]] = {}

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32; raises EmbeddingError when new texts cannot be embedded."""
        if not texts:
            return self._embedder.embed(texts, kind)
        key = f"{self.name}:{self._embedder.version}:{kind}"
        known = self._store.get_many(key, texts)
        missing = list(dict.fromkeys(text for place, text in enumerate(texts) if place not in known))
        awaited, mine = self._claim(key, missing)
        try:
            made = self._make(key, list(mine), kind, mine) if mine else {}
        finally:
            self._release(key, mine)
        vectors = made | {text: future.result() for text, future in awaited.items()}
        return np.vstack([known[place] if place in known else vectors[text] for place, text in enumerate(texts)])

    def _claim(self, key: str, texts: Sequence[str]) -> tuple[dict[str, Future[Vectors]], dict[str, Future[Vectors]]]:
        """Return which of *texts* somebody else is embedding, and which are now the caller's to embed."""
        with self._lock:
            awaited = {text: self._under_way[key, text] for text in texts if (key, text) in self._under_way}
            mine: dict[str, Future[Vectors]] = {text: Future() for text in texts if text not in awaited}
            self._under_way.update({(key, text): future for text, future in mine.items()})
        return awaited, mine

    def _make(
        self, key: str, texts: Sequence[str], kind: TextKind, promised: Mapping[str, Future[Vectors]]
    ) -> dict[str, Vectors]:
        """Embed *texts*, keep their vectors and hand them to whoever waits; raises EmbeddingError, to them as well."""
        try:
            fresh = self._embedder.embed(texts, kind)
        except BaseException as error:
            for future in promised.values():
                future.set_exception(error)
            raise
        made = dict(zip(texts, fresh, strict=True))
        for text, vector in made.items():
            promised[text].set_result(vector)
        self._store.put_many(key, texts, fresh)
        return made

    def _release(self, key: str, mine: Iterable[str]) -> None:
        with self._lock:
            for text in mine:
                self._under_way.pop((key, text), None)
