"""What all kinds of long runs share: their status, and how they fail."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


class RunStatus(StrEnum):
    """The status of a run; each kind defines the members, ``queued``, ``stopped`` and ``failed`` among them."""

    @property
    def ended(self) -> bool:
        """Return whether the run has ended, so that its state no longer changes by itself."""
        return self.value in ("complete", "finished_early", "stopped", "failed")

    @property
    def waits_for_user(self) -> bool:
        """Return whether it waits for the user to continue."""
        return self.value == "planned"

    @property
    def settled(self) -> bool:
        """Return whether the run has ended or waits for the user."""
        return self.ended or self.waits_for_user


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFailed:
    """A failure with its type and description; the run may go on, unless its status is ``failed``."""

    name: ClassVar = "error"
    kind: str
    """What failed, as in "Search failed" or the name of an error's type."""
    description: str
    """One English sentence without the question."""
    korean: str
    """One or two Korean sentences: what failed and what to try."""
