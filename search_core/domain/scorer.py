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
    """False where another scorer than the settings ask for is at work, or scores until that is ready."""
    awaited: str = ""
    """Name of the scorer that will be at work when what loads has loaded; empty while nothing does."""


class LibraryPhase(StrEnum):
    """Names the stages of embedding a library."""

    EMPTY = "empty"
    WORDS_ONLY = "words_only"
    """No model is at hand, and none will be."""
    LOADING = "loading"
    FILLING = "filling"
    READY = "ready"
    STOPPED = "stopped"
    """Something keeps the rest from being embedded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryState:
    """How much of the library can be found by meaning; all of it can be found by words."""

    phase: LibraryPhase
    done: int = 0
    """Sections of documents that can be found by meaning."""
    total: int = 0
    reason: str = ""
    """Korean sentence why meaning finds nothing, or not all."""

    @property
    def percent(self) -> int:
        """Return the percentage of sections that can be found by meaning, rounded down."""
        return 100 * self.done // self.total if self.total else 0

    @property
    def under_way(self) -> bool:
        """Return whether this will change by itself."""
        return self.phase in (LibraryPhase.LOADING, LibraryPhase.FILLING)
