"""What filling the library changed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexOutcome:
    """Counts documents by what happened to them."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: tuple[tuple[Path, str], ...] = ()
    """Files that could not be read, each with a Korean sentence why."""
    cut: tuple[tuple[Path, str], ...] = ()
    """Files that were read in part, each with a Korean sentence of how far."""

    def plus(self, other: IndexOutcome) -> IndexOutcome:
        """Return the sums of both."""
        sums = {field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(self)}
        return IndexOutcome(**sums)
