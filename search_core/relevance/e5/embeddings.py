"""Numbers of pieces as what the first layer takes: rows of the word matrix with their places, normalized."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from search_core.relevance.e5.weights_file import Floats, WeightsFile


class PieceEmbeddings:
    """Reads the rows it is asked for from the file of the weights."""

    def __init__(self, weights: WeightsFile) -> None:
        """Hold the small tensors; raises WeightsError."""
        self._weights = weights
        sizes, floats = weights.sizes, weights.floats
        places = floats("emb.pos").reshape(sizes.positions, sizes.hidden)
        self._places = places + floats("emb.type")[: sizes.hidden]  # all tokens are of the first type
        self._factors, self._bias = floats("emb.ln.w"), floats("emb.ln.b")

    def embed(self, numbers: Sequence[int]) -> Floats:
        """Return ``(tokens, hidden)``."""
        sizes = self._weights.sizes
        rows = self._weights.matrix_rows("emb.word", (sizes.vocabulary, sizes.hidden), np.array(numbers, dtype=np.int64))
        rows += self._places[: len(numbers)]
        rows -= rows.mean(axis=1, keepdims=True)
        rows /= np.sqrt((rows * rows).mean(axis=1, keepdims=True) + sizes.epsilon)
        return np.asarray(rows * self._factors + self._bias, dtype=np.float32)
