"""The interface of embedders, and how far their similarities are meaningful."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
TextKind = Literal["query", "passage"]


@dataclass(frozen=True, slots=True)
class SimilarityLimits:
    """How far the similarities of an embedder alone are meaningful."""

    trust: float
    """Weight in [0, 1] of similarities beyond the words that two texts have in common; 1 trusts them fully."""
    across_scripts: bool
    """Whether the similarity of a text in Hangul and a text without it is meaningful."""


TRAINED = SimilarityLimits(trust=1.0, across_scripts=True)
"""Limits of models that were trained on the meaning of whole texts in several languages."""


class Embedder(Protocol):
    """Turns texts into vectors whose inner product is their similarity."""

    name: str
    """Never changes: vectors of embedders with the same name are comparable, unless a model's files were replaced."""
    label: str
    """What the page calls this embedder, in Korean."""
    limits: SimilarityLimits
    """How far the similarities of the vectors are meaningful."""

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32, rows of length 1; zeros for a text without content.

        Raises EmbeddingError when the texts cannot be embedded.
        """
        ...
