"""Which embedder is at work: a server or the model when it is ready, the embedded one until then and whenever it fails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from search_core.errors import EmbeddingError
from search_core.relevance.embedder import Embedder, Reach, TextKind, Vectors
from search_core.relevance.kiwi_embedder import KiwiEmbedder
from search_core.relevance.model_embedder import ModelEmbedder, ModelState
from search_core.relevance.server_embedder import ServerEmbedder

EMBEDDED = "kiwi"
"""The model name that asks for the embedded embedder only."""


class VectorStore(Protocol):
    """Keeps vectors by model and text; a store that cannot be read or written answers as if it were empty."""

    def get_many(self, model: str, texts: Sequence[str]) -> Mapping[int, Vectors]:
        """Return the kept vectors by position in *texts*."""
        ...

    def put_many(self, model: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep one row of *vectors* for each text."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerState:
    """Which scorer is at work and how far the model is."""

    name: str
    label: str
    """What the page calls the scorer at work, in Korean."""
    state: Literal["embedded", "loading", "ready", "failed"]
    detail: str
    """One Korean sentence for the page."""


class CachedEmbedder:
    """Embeds only texts whose vectors are not kept yet."""

    def __init__(self, embedder: Embedder, store: VectorStore) -> None:
        self._embedder = embedder
        self._store = store
        self._width: int | None = None

    @property
    def name(self) -> str:
        """Return the name of the embedder behind."""
        return self._embedder.name

    @property
    def label(self) -> str:
        """Return the label of the embedder behind."""
        return self._embedder.label

    @property
    def reach(self) -> Reach:
        """Return the reach of the embedder behind."""
        return self._embedder.reach

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32.

        Raises EmbeddingError when new texts cannot be embedded, or when their vectors have another length than those kept under
        the same name: then another model answers now, and the two cannot be compared.
        """
        key = f"{self.name}:{kind}"
        kept = self._store.get_many(key, texts)
        self._hold_width(kept.values())
        missing = [place for place in range(len(texts)) if place not in kept]
        if not missing:
            return np.vstack([kept[place] for place in range(len(texts))]) if texts else self._embedder.embed(texts, kind)
        fresh = self._embedder.embed([texts[place] for place in missing], kind)
        self._hold_width(fresh[:1])
        self._store.put_many(key, [texts[place] for place in missing], fresh)
        vectors: Vectors = np.zeros((len(texts), fresh.shape[1]), dtype=np.float32)
        vectors[missing] = fresh
        for place, vector in kept.items():
            vectors[place] = vector
        return vectors

    def _hold_width(self, vectors: Iterable[Vectors]) -> None:
        for vector in vectors:
            if self._width is None:
                self._width = len(vector)
            if len(vector) != self._width:
                raise EmbeddingError(
                    f"{self.name} gave vectors of {self._width} numbers before and gives {len(vector)} now; another model needs "
                    "another name in EMBEDDING_MODEL.",
                    korean="의미 분석 모델이 바뀌었어요. EMBEDDING_MODEL에 새 모델의 이름을 적어 주세요.",
                )


class EmbedderHost:
    """Owns the embedders of a process; never makes anyone wait for a model."""

    def __init__(
        self,
        *,
        model: str,
        allow_download: bool = False,
        server: ServerEmbedder | None = None,
        vectors: VectorStore | None = None,
    ) -> None:
        """Take a model name or folder, or ``kiwi`` for the embedded embedder alone; nothing is loaded yet.

        A *server* stands in for the model: none is loaded here.
        """
        self._embedded = KiwiEmbedder()
        self._model: ModelEmbedder | None = None
        self._server: ServerEmbedder | None = None
        self._served: Embedder = self._embedded
        if not model.strip() or model.strip().lower() == EMBEDDED:
            return
        self._server = server
        if server is None:
            self._model = ModelEmbedder(model.strip(), allow_download=allow_download)
        meant: Embedder = server or self._model or self._embedded
        self._served = meant if vectors is None else CachedEmbedder(meant, vectors)

    def start(self) -> None:
        """Begin loading the model in the background; returns at once."""
        if self._model is not None:
            self._model.start()

    def current(self) -> Embedder:
        """Return the model when it is ready, the embedded embedder otherwise.

        A server is returned while it fails, too: what it cannot do is told with each search, and it may answer again.
        """
        ready = self._server is not None or (self._model is not None and self._model.state is ModelState.READY)
        return self._served if ready else self._embedded

    def wait(self, timeout_s: float) -> Embedder:
        """Wait until the model is ready or has failed, at most *timeout_s* seconds, and return the embedder at work.

        For tools that prefer a late answer; a page never waits.
        """
        if self._model is not None:
            self._model.wait(timeout_s)
        return self.current()

    def state(self) -> ScorerState:
        """Return which embedder is at work and how far the model is."""
        embedder = self._embedded if self._server is not None and self._server.reason else self.current()
        return ScorerState(name=embedder.name, label=embedder.label, state=self._phase(), detail=self._detail())

    def close(self) -> None:
        """End the model's process."""
        if self._model is not None:
            self._model.close()

    def _phase(self) -> Literal["embedded", "loading", "ready", "failed"]:
        if self._server is not None:
            return "failed" if self._server.reason else "ready"
        if self._model is None:
            return "embedded"
        match self._model.state:
            case ModelState.ABSENT:
                return "embedded"
            case ModelState.READY:
                return "ready"
            case ModelState.FAILED | ModelState.CLOSED:
                return "failed"
            case _:
                return "loading"

    def _detail(self) -> str:
        match self._phase():
            case "embedded":
                return self._model.reason if self._model else "내장 방식으로 관련도를 계산해요."
            case "loading":
                return "의미 분석 모델을 준비하는 동안 내장 방식으로 계산해요."
            case "ready":
                return f"의미 분석 모델({self.current().name})로 관련도를 계산해요."
            case "failed":
                failed = self._server or self._model
                return failed.reason if failed and failed.reason else "내장 방식으로 관련도를 계산해요."
