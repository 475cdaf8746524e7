"""What the shipped model reads besides vectors: whether sentences answer a question, and where spoken sentences end."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.errors import EmbeddingError
from search_core.models.embedding.model_embedder import ModelEmbedder

logger = logging.getLogger(__name__)

_KEPT = 8
"""Readings: passages are put in order for a language model, and quoted, from one."""
_BEFORE_CHARS, _SENTENCE_CHARS = 80, 260
"""Letters of a pair's first text, as it was learnt from."""


class Placed(NamedTuple):
    """A sentence with the sentence or title before it."""

    before: str
    sentence: str

    @property
    def text(self) -> str:
        """Return both texts joined: the end of the first, the beginning of the second."""
        return f"{self.before[-_BEFORE_CHARS:]} {self.sentence[:_SENTENCE_CHARS]}".strip()


class AnsweringModel:
    """Reads questions and sentences in the shipped model's process, if it is ready or loads on demand."""

    def __init__(self, shipped: ModelEmbedder | None) -> None:
        """Take the shipped model, or None where there is none."""
        self._shipped = shipped

    def odds_or_none(self, question: str, placed: Sequence[Placed]) -> NDArray[np.float64] | None:
        """Return the log odds that each sentence answers *question*; None if the model is not ready or fails."""
        model = self._shipped
        if model is None or not model.may_be_asked():
            return None
        try:
            return _read(model, question, tuple(placed))
        except EmbeddingError as error:
            logger.info("Answers are found without reading sentences with the question: %s", error)
            return None


@lru_cache(maxsize=_KEPT)
def _read(model: ModelEmbedder, question: str, placed: tuple[Placed, ...]) -> NDArray[np.float64]:
    return model.answer([(each.text, question) for each in placed])[:, 0].astype(np.float64)


WINDOW, AROUND = 192, 16
"""Words read at once, and how many on each side are only context."""


class SentenceEnds:
    """Judges ends of sentences in the shipped model's process, if it is ready or loads on demand."""

    def __init__(self, shipped: ModelEmbedder | None) -> None:
        """Take the shipped model, or None where there is none."""
        self._shipped = shipped

    def odds_or_none(self, words: Sequence[str]) -> NDArray[np.float32] | None:
        """Return the log odds of a sentence end after each of *words*, which are in lower case without punctuation.

        From 0 on a sentence ends there. None if the model is not ready or does not answer.
        """
        model = self._shipped
        if model is None or not model.may_be_asked():
            return None
        windows = [*read_in_windows(words)]
        if not windows:
            return np.zeros(0, dtype=np.float32)
        try:
            odds = model.mark_ends([window for window, _ in windows])
        except EmbeddingError as error:
            logger.info("Sentences end where speakers pause: %s", error)
            return None
        return np.concatenate([each[inner] for each, (_, inner) in zip(odds, windows, strict=True)])


def read_in_windows(words: Sequence[str]) -> Iterator[tuple[Sequence[str], slice]]:
    """Yield the windows of *words*, and the words that each decides; every word is decided once."""
    for start in range(0, len(words), WINDOW - 2 * AROUND):
        first = max(0, start - AROUND)
        window = words[first : start + WINDOW - AROUND]
        yield window, slice(start - first, start - first + WINDOW - 2 * AROUND)
