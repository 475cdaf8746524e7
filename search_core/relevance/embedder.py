"""What it takes to turn texts into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
TextKind = Literal["query", "passage"]


class Embedder(Protocol):
    """Turns texts into vectors whose inner product is their similarity."""

    @property
    def name(self) -> str:
        """Return a stable name; vectors of two embedders of one name can be compared."""
        ...

    @property
    def label(self) -> str:
        """Return what the page calls this embedder, in Korean."""
        ...

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32, rows of length 1; a text without content gives a zero row.

        Raises EmbeddingError when the texts cannot be embedded.
        """
        ...
