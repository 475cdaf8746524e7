"""What filling the library changed."""

from __future__ import annotations

from dataclasses import dataclass
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

    def plus(self, other: IndexOutcome) -> IndexOutcome:
        """Return the sums of both."""
        return IndexOutcome(
            added=self.added + other.added,
            updated=self.updated + other.updated,
            unchanged=self.unchanged + other.unchanged,
            removed=self.removed + other.removed,
            failed=self.failed + other.failed,
        )
