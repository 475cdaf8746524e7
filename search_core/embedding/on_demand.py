"""A model that is started, and waited for, when the first text needs it: for a command, whose texts may all be known already."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from search_core.embedding.embedder import ScorerLimits, TextKind, Vectors
from search_core.embedding.model_embedder import ModelEmbedder, ModelState

QUIET_S = 3.0
"""Longer than the model that ships takes to load, and than it takes to find out that there is none."""
OnWait = Callable[[float], object]
"""Hears that loading takes long, and for how many seconds it is waited for."""


class OnDemandModel:
    """Embeds by a model that nobody has started yet; all who ask wait for it together, for so many seconds in all."""

    def __init__(self, model: ModelEmbedder, *, wait_s: float, on_wait: OnWait) -> None:
        """Take the model; nothing is begun. *on_wait* hears of a wait of more than ``QUIET_S``."""
        self._model = model
        self._wait_s = wait_s
        self._on_wait = on_wait
        self._asking = threading.Lock()
        self._until: float | None = None

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self._model.name

    @property
    def label(self) -> str:
        """Return the label of the model."""
        return self._model.label

    @property
    def reach(self) -> ScorerLimits:
        """Return the reach of the model."""
        return self._model.reach

    @property
    def expected(self) -> bool:
        """Return whether the model embeds, or may do so in time."""
        if self._until is not None and time.monotonic() > self._until:
            return self._model.state is ModelState.READY
        return self._model.state in (ModelState.IDLE, ModelState.LOADING, ModelState.READY)

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32; raises EmbeddingError as the model does, and when it is not ready in time."""
        self.wait()
        return self._model.embed(texts, kind)

    def wait(self) -> None:
        """Start the model where nobody has, and wait until it is ready, cannot be used or time is up."""
        with self._asking:
            now = time.monotonic()
            if self._until is None:
                self._model.start()
                self._until = now + self._wait_s
            left = self._until - now
            if left > QUIET_S and self._model.wait(QUIET_S) is ModelState.LOADING:
                self._on_wait(self._wait_s)
                left -= QUIET_S
            if left > 0:
                self._model.wait(left)
