"""The entailment model: the shipped model's layers with what was learnt, over a pair of texts, and three classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import onnxruntime

from search_core.relevance.e5.additions import Additions, MergedWeights
from search_core.relevance.e5.embeddings import PieceEmbeddings
from search_core.relevance.e5.graph import Tensors
from search_core.relevance.e5.tokenizer import PieceTokenizer
from search_core.relevance.e5.weights_file import Floats, WeightsFile

LONGEST = 112
"""Pieces of a pair, its marks among them; longer ones were not learnt from."""
CLASSES = 3
Session = Callable[[Tensors], onnxruntime.InferenceSession]


class E5Entailment:
    """Judges pairs of a window and a statement, each by itself."""

    def __init__(
        self,
        weights: WeightsFile,
        additions: Additions,
        tokenizer: PieceTokenizer,
        embeddings: PieceEmbeddings,
        open_session: Session,
    ) -> None:
        """Take the shipped model's parts, which both share; raises WeightsError."""
        hidden = weights.sizes.hidden
        self._tokenizer, self._embeddings = tokenizer, embeddings
        self._dense, self._dense_bias = additions.array("dense.w", hidden, hidden), additions.array("dense.b", hidden)
        self._classes, self._classes_bias = additions.array("classes.w", CLASSES, hidden), additions.array("classes.b", CLASSES)
        self._temperature = additions.array("temperature", 1)
        self._session = open_session(MergedWeights(weights, additions))

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
        """Return the numbers of pieces of each pair."""
        return self._tokenizer.encode_pairs(pairs, LONGEST)

    def probabilities(self, numbers: Sequence[int]) -> Floats:
        """Return how likely a window bears its statement out, is silent on it, or denies it."""
        states: Floats = self._session.run(None, {"embedded": self._embeddings.embed(numbers)[None]})[0][0]
        dense = np.tanh(self._dense @ states.mean(axis=0) + self._dense_bias)
        logits = (self._classes @ dense + self._classes_bias) / self._temperature
        odds = np.exp(logits - logits.max())
        probabilities: Floats = odds / odds.sum()
        return probabilities
