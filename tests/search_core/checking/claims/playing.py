"""Checks of claims in processes that are killed."""

from __future__ import annotations

from pathlib import Path

from search_core.checking.claims.service import ClaimsService
from search_core.checking.claims.workflow import finding_key
from tests.search_core.checking.claims.acting import CLAIMS
from tests.search_core.research.workers import calls, wait_until


def wait_others_stored(service: ClaimsService, run_id: str, journal: Path) -> None:
    """Return when all checks but the one that is held have ended and are stored."""
    keys = {f"check {claim.number}": finding_key(claim.text) for claim in CLAIMS}

    def stored() -> bool:
        ended = [keys[name] for name in calls(journal)[1]]
        return len(ended) == len(CLAIMS) - 1 and len(service.store.find(run_id, ended)) == len(ended)

    wait_until(stored)
