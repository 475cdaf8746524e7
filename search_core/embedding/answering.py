"""How likely sentences answer a question, as a model reads each of them together with it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.embedding.model_embedder import ModelEmbedder
from search_core.errors import EmbeddingError

_log = logging.getLogger(__name__)

_KEPT = 8
"""Readings: passages are put in order for a language model, and quoted, from one."""
_BEFORE_CHARS, _SENTENCE_CHARS = 80, 260
"""Letters of a pair's first text, as it was learnt from."""


class Placed(NamedTuple):
    """A sentence, and what stands before it or is the title above it."""

    before: str
    sentence: str

    @property
    def text(self) -> str:
        """Return both as they are read: the end of the one, the beginning of the other."""
        return f"{self.before[-_BEFORE_CHARS:]} {self.sentence[:_SENTENCE_CHARS]}".strip()


class AnsweringModel:
    """Reads sentences in the process of the shipped model, where that is ready or waits for its first text."""

    def __init__(self, shipped: ModelEmbedder | None) -> None:
        """Take the shipped model, or None where there is none."""
        self._shipped = shipped

    def odds_or_none(self, question: str, placed: Sequence[Placed]) -> NDArray[np.float64] | None:
        """Return the log odds that each sentence answers *question*; None where the model is not ready, or does not answer."""
        model = self._shipped
        if model is None or not model.may_be_asked():
            return None
        try:
            return _read(model, question, tuple(placed))
        except EmbeddingError as error:
            _log.info("Answers are found without reading sentences with the question: %s", error)
            return None


@lru_cache(maxsize=_KEPT)
def _read(model: ModelEmbedder, question: str, placed: tuple[Placed, ...]) -> NDArray[np.float64]:
    return model.answer([(each.text, question) for each in placed])[:, 0].astype(np.float64)
