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
    """Share in [0, 1] to which similarities count beyond two texts' common words."""
    across_scripts: bool
    """Whether they say anything about a text in Hangul and one without."""


TRAINED = SimilarityLimits(trust=1.0, across_scripts=True)
"""What models reach that were trained on the meaning of whole texts in several languages."""


class Embedder(Protocol):
    """Turns texts into vectors whose inner product is their similarity."""

    name: str
    """Stable; vectors of two embedders of one name can be compared, unless the files of a model were replaced."""
    label: str
    """What the page calls this embedder, in Korean."""
    limits: SimilarityLimits
    """How far the similarities of the vectors carry."""

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32, rows of length 1; zeros for a text without content.

        Raises EmbeddingError when the texts cannot be embedded.
        """
        ...
