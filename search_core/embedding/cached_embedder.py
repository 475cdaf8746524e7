"""Vectors of texts embedded before and of those being embedded now, so that no text costs twice."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

import numpy as np

from search_core.embedding.embedder import Embedder, TextKind, Vectors
from search_core.errors import EmbeddingError

PROBES = ("메모리 대역폭은 왜 중요한가요?", "Tides rise and fall because of the pull of the moon and the sun.")
"""Texts by whose vectors those of another engine, or of another model of the same name, are distinguished."""
_SAME = 0.9999
"""Cosine from which two vectors of a text are one engine's: processors differ by less, ways to quantize by more."""


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

    Vectors are kept under the name and what gives them, which is recognized by its vectors of a few texts: at the first text that
    has to be embedded, and anew after each failure. Until then those are used that were kept last.
    """

    def __init__(self, embedder: Embedder, store: VectorStore) -> None:
        self._embedder, self._store = embedder, store
        self.name, self.label, self.reach = embedder.name, embedder.label, embedder.reach
        self._width: int | None = None
        self._stamp: str | None = None
        """The key of the vectors in use; None until it was looked for."""
        self._recognized = False
        self._lock = threading.Lock()
        self._under_way: dict[tuple[str, str], Future[Vectors]] = {}

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32.

        Raises EmbeddingError when new texts cannot be embedded, or when their vectors have another length than those before:
        then another model answers now, and the two cannot be compared. From the next time on its vectors are used.
        """
        try:
            return self._embed(texts, kind)
        except EmbeddingError:
            self._recognized, self._stamp, self._width = False, None, None
            raise

    def _embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        key, known = self._look_up(texts, kind)
        if len(known) < len(texts) and not self._recognized:
            self._recognize()
            key, known = self._look_up(texts, kind)
        self._hold_width(known.values())
        missing = list(dict.fromkeys(text for place, text in enumerate(texts) if place not in known))
        if not missing and not known:
            return self._embedder.embed(texts, kind)
        awaited, mine = self._claim(key, missing)
        try:
            made = self._make(key, list(mine), kind, mine) if mine else {}
        finally:
            self._release(key, mine)
        vectors = made | {text: future.result() for text, future in awaited.items()}
        self._hold_width(vectors.values())
        return np.vstack([known[place] if place in known else vectors[text] for place, text in enumerate(texts)])

    def _look_up(self, texts: Sequence[str], kind: TextKind) -> tuple[str, dict[int, Vectors]]:
        """Return under which key vectors of that *kind* are kept now, and those of *texts* by their places."""
        stamp = self._stamp
        if stamp is None:
            self._stamp = stamp = _stamp_of(self._stored_probe())
        key = f"{self.name}:{stamp}:{kind}"
        return key, dict(self._store.get_many(key, texts))

    def _recognize(self) -> None:
        """Find out whose vectors the kept ones are; raises EmbeddingError."""
        fresh, stored = self._embedder.embed(PROBES), self._stored_probe()
        if stored is None or not _are_same(stored, fresh):
            self._store.put_many(self._probe_key, PROBES, fresh)
            stored = fresh
        self._stamp, self._width, self._recognized = _stamp_of(stored), None, True

    @property
    def _probe_key(self) -> str:
        return f"{self.name}:probe"

    def _stored_probe(self) -> Vectors | None:
        stored = self._store.get_many(self._probe_key, PROBES)
        return np.vstack([stored[place] for place in range(len(PROBES))]) if len(stored) == len(PROBES) else None

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
            self._hold_width(fresh[:1])
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

    def _hold_width(self, vectors: Iterable[Vectors]) -> None:
        for vector in vectors:
            if self._width is None:
                self._width = len(vector)
            if len(vector) != self._width:
                raise EmbeddingError(
                    f"{self.name} gave vectors of {self._width} numbers before and gives {len(vector)} now.",
                    korean="의미 분석 모델이 바뀌었어요. 다음 검색부터 새 모델로 채점해요.",
                )


def _stamp_of(probe: Vectors | None) -> str:
    return "" if probe is None else hashlib.sha256(np.ascontiguousarray(probe, dtype="<f4").tobytes()).hexdigest()[:12]


def _are_same(stored: Vectors, fresh: Vectors) -> bool:
    """Return whether two sets of vectors of the same texts are one engine's."""
    return stored.shape == fresh.shape and bool(np.all((stored * fresh).sum(axis=1) >= _SAME * (fresh * fresh).sum(axis=1)))
