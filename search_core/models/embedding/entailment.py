"""Whether a text supports a statement, judged by an entailment model."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Self

import numpy as np

from search_core.errors import EmbeddingError
from search_core.language.vectors import Vectors
from search_core.models.embedding.embedder import VectorStore
from search_core.models.embedding.model_embedder import ModelEmbedder, ModelState
from search_core.runtime import Lazy

PRECISION = 0.88
"""How often a named model must be right above a threshold for its judgements there to count."""
BELIEVED = (0.78, 0.84)
"""Probabilities from which the shipped model is believed: for support, and for denial."""
_LEAST = 12
"""Least number of known pairs above a threshold for the threshold to count."""
_DECIDED = (0, 2)
"""The columns of support and denial."""
_UNBELIEVED = 0.49
"""Highest probability given to a class for which the model is reliable at no threshold."""


@cache
def known_pairs() -> tuple[tuple[tuple[str, str], int], ...]:
    """Return pairs of text and statement with the index of the right class; the shipped model learnt none of them."""
    lines = files("search_core.models.embedding").joinpath("data", "known_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(
        ((group["window"], statement), column)
        for group in map(json.loads, lines)
        for column, name in enumerate(("bears_out", "silent", "denies"))
        for statement in group[name]
    )


@dataclass(frozen=True, slots=True)
class ClassThresholds:
    """The probability from which each decided class is reliable on known pairs; None for one that is reliable nowhere."""

    starts: tuple[float | None, ...]

    @classmethod
    def of(cls, probabilities: Vectors, right: Sequence[int]) -> Self:
        """Return thresholds for the *probabilities* of pairs whose *right* classes are known."""
        starts: list[float | None] = []
        for column in _DECIDED:
            odds, is_class = probabilities[:, column], np.array(right) == column
            above = ((start, is_class[odds >= start]) for start in np.unique(odds))
            starts.append(next((float(start) for start, hits in above if len(hits) >= _LEAST and hits.mean() >= PRECISION), None))
        return cls(tuple(starts))

    def apply(self, probabilities: Vectors) -> Vectors:
        """Return *probabilities* rescaled so that the shipped model's thresholds apply; what is left over to 1 is silence."""
        scaled = np.zeros_like(probabilities)
        for column, start, believed in zip(_DECIDED, self.starts, BELIEVED, strict=True):
            if start is None:
                scaled[:, column] = probabilities[:, column] * _UNBELIEVED
            else:
                scaled[:, column] = np.interp(
                    probabilities[:, column], (0.0, min(max(start, 0.01), 0.99), 1.0), (0.0, believed, 1.0)
                )
        scaled[:, 1] = np.maximum(0.0, 1.0 - scaled[:, 0] - scaled[:, 2])
        return scaled


_log = logging.getLogger(__name__)

_LOAD_S = 60.0
"""Seconds that a judgement waits for a model that is loading; the shipped one takes less on a busy machine."""
_NONE = "의미 모델이 없어 규칙만으로 비교했어요."


@dataclass(frozen=True, slots=True)
class Entailment:
    """The probabilities that a text supports a statement, is silent on it, or denies it; they add up to 1."""

    bears_out: float
    silent: float
    denies: float


class EntailmentModel:
    """Judges pairs by a named, calibrated model, else by the shipped one, else not at all."""

    def __init__(
        self, shipped: ModelEmbedder | None, named: ModelEmbedder | None = None, store: VectorStore | None = None
    ) -> None:
        """Take the shipped model, a *named* one that goes before it, and a *store* for the named model's calibration."""
        self._shipped, self._named, self._kept = shipped, named, store
        self._calibration = Lazy(self._calibrate)

    @property
    def ready(self) -> bool:
        """Return whether a model is loaded, so that a judgement would begin at once."""
        return any(model is not None and model.state is ModelState.READY for model in (self._named, self._shipped))

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Return the entailment of each pair of a window and a statement.

        A model that is still loading is waited for. Raises EmbeddingError when it cannot run, dies, or does not answer in time.
        """
        try:
            if self._named is not None:
                probabilities = self._judge(self._named, pairs)
                return [Entailment(*row) for row in self._calibration().apply(probabilities).tolist()]
        except EmbeddingError as error:
            _log.info("The shipped model judges in the place of the named one: %s", error)
        if self._shipped is None:
            raise EmbeddingError("There is no model of entailment.", korean=_NONE)
        return [Entailment(*row) for row in self._judge(self._shipped, pairs).tolist()]

    def _judge(self, model: ModelEmbedder, pairs: Sequence[tuple[str, str]]) -> Vectors:
        model.start()
        model.retry_when_due()
        model.wait(_LOAD_S)
        return model.judge(pairs)

    def _calibrate(self) -> ClassThresholds:
        """Return thresholds for the named model's probabilities; raises EmbeddingError if it cannot be asked."""
        if self._named is None:
            raise EmbeddingError("There is no named model of entailment.", korean=_NONE)
        pairs, right = zip(*known_pairs(), strict=True)
        key, texts = f"{self._named.name}:{self._named.version}:pairs", ["\n".join(pair) for pair in pairs]
        stored = self._kept.get_many(key, texts) if self._kept is not None else {}
        if len(stored) == len(texts):
            probabilities = np.vstack([stored[place] for place in range(len(texts))])
        else:
            probabilities = self._judge(self._named, pairs)
            if self._kept is not None:
                self._kept.put_many(key, texts, probabilities)
        calibration = ClassThresholds.of(probabilities, right)
        _log.info("The model %s was calibrated on %d pairs: %s", self._named.name, len(texts), calibration)
        return calibration

    def judge_or_none(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment] | None:
        """Return the result of ``judge``, or None if the model cannot run."""
        try:
            return self.judge(pairs)
        except EmbeddingError as error:
            _log.info("Statements are judged without a model of entailment: %s", error)
            return None
