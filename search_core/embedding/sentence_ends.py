"""Behind which words of a transcript without signs sentences end, as the shipped model reads them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from search_core.embedding.model_embedder import ModelEmbedder
from search_core.errors import EmbeddingError

_log = logging.getLogger(__name__)

WINDOW, AROUND = 192, 16
"""Words that are read at once, and how many of them on each side only say what stands around the others."""


class SentenceEnds:
    """Judges words in the process of the shipped model, where that is ready or waits for its first text."""

    def __init__(self, shipped: ModelEmbedder | None) -> None:
        """Take the shipped model, or None where there is none."""
        self._shipped = shipped

    def odds_or_none(self, words: Sequence[str]) -> NDArray[np.float32] | None:
        """Return the log odds that a sentence ends, behind each of *words* in small letters and without signs.

        From 0 on one does. None where the model is not ready, or does not answer.
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
            _log.info("Sentences end where speakers pause: %s", error)
            return None
        return np.concatenate([each[inner] for each, (_, inner) in zip(odds, windows, strict=True)])


def read_in_windows(words: Sequence[str]) -> Iterator[tuple[Sequence[str], slice]]:
    """Yield the windows in which *words* are read, and which words of each are judged by it; together these are all."""
    for start in range(0, len(words), WINDOW - 2 * AROUND):
        first = max(0, start - AROUND)
        window = words[first : start + WINDOW - AROUND]
        yield window, slice(start - first, start - first + WINDOW - 2 * AROUND)
