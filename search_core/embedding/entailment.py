"""Whether a text bears a statement out, as a model of entailment reads the two."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from search_core.embedding.model_embedder import ModelEmbedder, ModelState
from search_core.errors import EmbeddingError

_log = logging.getLogger(__name__)

_LOAD_S = 60.0
"""Longer than the shipped model takes to load on a busy machine."""
_NONE = "의미 모델이 없어 규칙만으로 비교했어요."


@dataclass(frozen=True, slots=True)
class Entailment:
    """Says how likely a text bears a statement out, is silent on it, or denies it; the three add up to 1."""

    bears_out: float
    silent: float
    denies: float


class EntailmentModel:
    """Judges pairs in the process of the shipped model; in none where that cannot be."""

    def __init__(self, shipped: ModelEmbedder | None) -> None:
        """Take the shipped model, or None where there is to be none."""
        self._shipped = shipped

    @property
    def ready(self) -> bool:
        """Return whether a judgement would begin at once."""
        return self._shipped is not None and self._shipped.state is ModelState.READY

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Return for each pair of a window and a statement what the window says of it.

        A model that is still loading is waited for. Raises EmbeddingError when it cannot run, dies, or does not answer in time.
        """
        model = self._shipped
        if model is None:
            raise EmbeddingError("There is no model of entailment.", korean=_NONE)
        model.start()
        model.retry_when_due()
        model.wait(_LOAD_S)
        return [Entailment(*row) for row in model.judge(pairs).tolist()]

    def judge_or_none(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment] | None:
        """Return what ``judge`` does, or None where the model cannot run."""
        try:
            return self.judge(pairs)
        except EmbeddingError as error:
            _log.info("Statements are judged without a model of entailment: %s", error)
            return None
