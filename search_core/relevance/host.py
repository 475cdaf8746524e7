"""Which embedder is at work: a server or the model when it is ready, the embedded one until then and whenever it fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from search_core.relevance.cached_embedder import CachedEmbedder, VectorStore
from search_core.relevance.embed_ahead import EmbedAhead
from search_core.relevance.embedder import BackgroundEmbedder, Embedder
from search_core.relevance.kiwi_embedder import KiwiEmbedder
from search_core.relevance.model_embedder import ModelEmbedder, ModelState
from search_core.relevance.server_embedder import ServerEmbedder

EMBEDDED = "kiwi"
"""The model name that asks for the embedded embedder only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerState:
    """Which scorer is at work and how far the model is."""

    name: str
    label: str
    """What the page calls the scorer at work, in Korean."""
    state: Literal["embedded", "loading", "ready", "failed"]
    detail: str
    """One Korean sentence for the page."""


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
        self.ahead = EmbedAhead(self._keeping)
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

    def bare(self) -> BackgroundEmbedder | None:
        """Return the model or the server itself, for texts whose vectors are kept elsewhere; None until it is ready."""
        if self._server is not None:
            return self._server
        return self._model if self._model is not None and self._model.state is ModelState.READY else None

    def _keeping(self) -> Embedder | None:
        """Return the embedder at work if its vectors are kept."""
        current = self.current()
        return current if isinstance(current, CachedEmbedder) else None

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
        self.ahead.close()
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
