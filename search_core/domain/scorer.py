"""The scorer at work, the progress of a model, and how own documents are searched."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

ScorerPhase = Literal["embedded", "loading", "ready", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerState:
    """The scorer at work, and the progress of the model."""

    name: str
    label: str
    """What the page calls the scorer at work, in Korean."""
    state: ScorerPhase
    detail: str
    """One or two Korean sentences for the page."""
    as_chosen: bool = True
    """False if another scorer is in use than the settings ask for, perhaps until the chosen one is ready."""
    awaited: str = ""
    """Name of the scorer that will be used once its model has loaded; empty if none is loading."""


class LibraryPhase(StrEnum):
    """Names the stages of embedding a library."""

    EMPTY = "empty"
    WORDS_ONLY = "words_only"
    """No embedding model is available, so documents are found by words only."""
    LOADING = "loading"
    FILLING = "filling"
    READY = "ready"
    STOPPED = "stopped"
    """An error stopped the embedding; the remaining documents are found by words only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryState:
    """How much of the library can be found by meaning; all of it can be found by words."""

    phase: LibraryPhase
    done: int = 0
    """Sections of documents that can be found by meaning."""
    total: int = 0
    reason: str = ""
    """Korean sentence on why not all documents can be found by meaning."""

    @property
    def percent(self) -> int:
        """Return the percentage of sections that can be found by meaning, rounded down."""
        return 100 * self.done // self.total if self.total else 0

    @property
    def under_way(self) -> bool:
        """Return whether a model is loading or documents are being embedded."""
        return self.phase in (LibraryPhase.LOADING, LibraryPhase.FILLING)
