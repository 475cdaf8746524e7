"""Models that read the library in tests: a text is how often it has each letter a to z."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import numpy as np

from search_core.errors import EmbeddingError
from search_core.storage.library_vectors import Direction, Vectors

LETTERS = 26


class LetterReader:
    """Reads at once; ``turned`` makes it another version of itself, which gives other vectors under the same name."""

    def __init__(self, name: str = "letters", *, turned: bool = False) -> None:
        self.name = name
        self.version = "turned" if turned else ""
        self.turned = turned
        self.passages: list[str] = []
        self.fails = False
        """Whether it has died."""
        self.fails_after: int | None = None
        """Dies when it has read so many texts."""
        self.answers = threading.Event()
        """Cleared while it hangs at a question."""
        self.answers.set()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self._die(self.fails or (self.fails_after is not None and len(self.passages) >= self.fails_after))
        self.passages += texts
        return self._vectors(texts)

    def directions(self, question: str) -> Mapping[bool, Direction]:
        self._die(self.fails)
        self.answers.wait()
        asked = self._vectors([question])[0]
        return {True: (asked, 0.0), False: (asked, 0.0)}

    def _die(self, now: bool) -> None:
        if now:
            raise EmbeddingError("the model died", korean="의미 분석 모델이 지금 답하지 않아요.")

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        counted = np.array(
            [[text.lower().count(chr(97 + place)) for place in range(LETTERS)] for text in texts], dtype=np.float32
        )
        counted[:, 0] += 0.01  # texts in Hangul alone have a direction, too
        if self.turned:
            counted = counted[:, ::-1]
        vectors: Vectors = counted / np.linalg.norm(counted, axis=1, keepdims=True)
        return vectors
