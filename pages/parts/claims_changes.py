"""What has changed since the same video was checked before."""

from __future__ import annotations

from search_core.domain import ClaimsEntry, ClaimsRun


def changes(run: ClaimsRun, earlier: ClaimsEntry | None) -> None:
    """Draw what has changed between the *earlier* run and this one."""
