"""What it takes to turn texts into vectors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from search_core.relevance.words import readable

Vectors = NDArray[np.float32]
TextKind = Literal["query", "passage"]


@dataclass(frozen=True, slots=True)
class ScorerLimits:
    """How far the similarities of an embedder carry by themselves."""

    trust: float
    """Share in [0, 1] of what they say that is to be believed beyond the words two texts have in common."""
    across_scripts: bool
    """Whether they say anything about a text in Hangul and one without."""


TRAINED = ScorerLimits(trust=1.0, across_scripts=True)
"""What models reach that were trained on the meaning of whole texts in several languages."""


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

    @property
    def reach(self) -> ScorerLimits:
        """Return how far the similarities of the vectors carry."""
        ...

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32, rows of length 1; a text without content gives a zero row.

        Raises EmbeddingError when the texts cannot be embedded.
        """
        ...


class BackgroundEmbedder(Embedder, Protocol):
    """An embedder that several callers share, and that lets background work wait."""

    def embed_in_background(self, texts: Sequence[str]) -> Vectors:
        """Return what ``embed`` does of passages, after all that searches wait for; raises EmbeddingError."""
        ...


MAX_CHARS = 4000
"""More than any such model reads; spares the tokenizer."""
_E5 = re.compile(r"(^|[^a-z])(ko)?e5([^a-z0-9]|$)", re.IGNORECASE)


def prepare_texts(model: str, texts: Sequence[str], kind: TextKind) -> list[str]:
    """Return *texts* as *model* is given them, wherever it runs: readable, not endless, with its prefix."""
    return [add_prefix(model, readable(text[:MAX_CHARS]), kind) for text in texts]


def add_prefix(model: str, text: str, kind: TextKind) -> str:
    """Return *text* as *model* was trained to read it: E5 models want ``query: `` or ``passage: `` in front.

    Source: the model card of intfloat/multilingual-e5-small, read 2026-11-20.
    """
    return f"{kind}: {text}" if _E5.search(Path(model).name) else text
