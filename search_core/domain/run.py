"""What all kinds of long runs share: their status."""

from __future__ import annotations

from enum import StrEnum


class RunStatus(StrEnum):
    """The status of a run; each kind defines the members, ``queued``, ``stopped`` and ``failed`` among them."""

    @property
    def ended(self) -> bool:
        """Return whether nothing more will happen by itself."""
        return self.value in ("complete", "finished_early", "stopped", "failed")

    @property
    def waits_for_user(self) -> bool:
        """Return whether it waits for the user to continue."""
        return self.value == "planned"

    @property
    def settled(self) -> bool:
        """Return whether nothing happens until the user says so."""
        return self.ended or self.waits_for_user
