"""What a similarity is worth: cosines of one embedder mean something else than those of another."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import numpy as np

from search_core.relevance.embedder import Embedder, Vectors

_UNRELATED = 0.1
"""Where texts on unrelated subjects land, so that a text somewhat less alike than usual is still told apart from one that is
empty."""
_KEPT = 4
_known: dict[str, float] = {}


class Calibration:
    """Turns an embedder's inner products into similarities in [0, 1] that mean the same for every embedder.

    The mean similarity of shipped passages on unrelated subjects counts as unrelated; 1 stays 1. E5 models give unrelated texts
    .7 to .8, others about 0.
    """

    def __init__(self, embedder: Embedder) -> None:
        """Measure *embedder*, once for each name; raises EmbeddingError when it cannot embed."""
        if embedder.name not in _known:
            if len(_known) >= _KEPT:
                _known.clear()
            _known[embedder.name] = _mean_similarity(embedder)
        self.unrelated = _known[embedder.name]

    def scaled(self, similarities: Vectors) -> Vectors:
        """Return *similarities* on the common scale."""
        above = (similarities - self.unrelated) / max(1e-6, 1.0 - self.unrelated)
        scaled: Vectors = np.clip(_UNRELATED + (1.0 - _UNRELATED) * above, 0.0, 1.0)
        return scaled


def _mean_similarity(embedder: Embedder) -> float:
    vectors = embedder.embed(_background())
    similarities = vectors @ vectors.T
    count = len(similarities)
    return float((similarities.sum() - np.trace(similarities)) / (count * (count - 1)))


@lru_cache(maxsize=1)
def _background() -> tuple[str, ...]:
    text = files("search_core.relevance").joinpath("data/background.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))
