"""Chooses the embedder: the named model or, until it is ready or if it fails, Kiwi."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from search_core.domain.scorer import ScorerPhase, ScorerState
from search_core.language.vectors import Embedder
from search_core.models.embedding.e5.weights_file import MODEL, find_weights
from search_core.models.embedding.embedder import BackgroundEmbedder, CachedEmbedder, KiwiEmbedder, VectorStore
from search_core.models.embedding.model_embedder import ModelEmbedder, ModelState, answer_odds, sentence_end_odds, unsaid_odds

if TYPE_CHECKING:
    from search_core.models.embedding.entailment import EntailmentModel

EMBEDDED = "kiwi"
"""The model name that asks for the built-in embedder only."""
_BY_WORDS = "내장 방식으로 채점해요."


class EmbedderHost:
    """Owns the embedders of a process; never waits for a model."""

    def __init__(self, *, model: str, entailment: str = "", vectors: VectorStore | None = None) -> None:
        """Take a model name or folder, or ``kiwi`` for the built-in embedder alone; nothing is loaded yet.

        *entailment* names a model that judges entailment in place of the shipped one.
        """
        self._embedded = KiwiEmbedder()
        self._model: ModelEmbedder | None = None
        self._served: Embedder = self._embedded
        """The model behind its cache of stored vectors, where there is one."""
        self._shipped: ModelEmbedder | None = None
        """The shipped model, which reads for all other decisions; it runs for these even if another model embeds."""
        name = model.strip()
        if name and name.lower() != EMBEDDED:
            self._model = ModelEmbedder(name)
            self._served = self._model if vectors is None else CachedEmbedder(self._model, vectors)
            if find_weights() is not None:
                self._shipped = self._model if self._model.is_shipped else ModelEmbedder(MODEL)
        self._named = ModelEmbedder(entailment, worker="serve_cross_encoder") if entailment else None
        self._vectors = vectors
        self.answer_odds = partial(answer_odds, self._shipped)
        self.sentence_end_odds = partial(sentence_end_odds, self._shipped)
        self.unsaid_odds = partial(unsaid_odds, self._shipped)

    @cached_property
    def entailment(self) -> EntailmentModel:
        """The model that judges whether a text supports a statement; searches do not need it."""
        from search_core.models.embedding.entailment import EntailmentModel

        return EntailmentModel(self._shipped, self._named, self._vectors)

    def start(self) -> None:
        """Begin loading the model in the background, unless it is loaded on demand; returns at once."""
        if self._model is not None and not self._model.on_demand:
            self._model.start()

    def load_on_demand(self, wait_s: float) -> None:
        """Have the first text without a stored vector start the model, and wait at most *wait_s* seconds."""
        if self._model is not None:
            self._model.load_on_demand(wait_s)

    def current(self) -> Embedder:
        """Return the model if it is ready, else the built-in embedder."""
        if self._model is None:
            return self._embedded
        self._model.retry_when_due()
        return self._served if self._model.expected else self._embedded

    def wait(self, timeout_s: float) -> Embedder:
        """Wait until the model is ready or has failed, at most *timeout_s* seconds, and return the embedder at work.

        For tools that prefer a late answer; a page never waits. A model loaded on demand is only waited for when texts are
        embedded.
        """
        if self._model is not None and not self._model.on_demand:
            self._model.wait(timeout_s)
        return self.current()

    def state(self, *, wait_s: float = 0.0) -> ScorerState:
        """Return the current embedder and the model's progress, after waiting at most *wait_s* seconds for the model."""
        if wait_s > 0:
            self.start()
            self.wait(wait_s)
        current, model = self.current(), self._model
        if model is None:
            return self._state(current, "embedded", "내장 방식으로 관련도를 계산해요.")
        if current is not self._embedded:
            return self._state(current, "ready", f"의미 분석 모델({current.name})로 관련도를 계산해요.")
        if model.state in (ModelState.IDLE, ModelState.LOADING):
            return self._state(current, "loading", f"의미 분석 모델을 준비하는 동안 {_BY_WORDS}", awaited=model.name)
        phase: ScorerPhase = "embedded" if model.state is ModelState.ABSENT else "failed"
        return self._state(current, phase, f"{model.reason} {_BY_WORDS}".strip(), as_chosen=False)

    def close(self) -> None:
        """End the processes of the models."""
        for part in (self._model, self._shipped, self._named):
            if part is not None:
                part.close()

    def bare(self) -> BackgroundEmbedder | None:
        """Return the model without its cache, for texts whose vectors are stored elsewhere; None until it is ready."""
        return self._model if self._model is not None and self._model.expected else None

    def storing(self) -> Embedder | None:
        """Return the current embedder if its vectors are stored, else None."""
        current = self.current()
        return current if isinstance(current, CachedEmbedder) else None

    def _state(
        self, at_work: Embedder, phase: ScorerPhase, detail: str, *, as_chosen: bool = True, awaited: str = ""
    ) -> ScorerState:
        return ScorerState(
            name=at_work.name,
            label=at_work.label,
            state=phase,
            detail=detail,
            as_chosen=as_chosen and not awaited,
            awaited=awaited,
        )
