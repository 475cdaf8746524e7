"""Checks of claims in processes that are killed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from search_core.claims.service import ClaimsService
from search_core.claims.workflow import finding_key
from search_core.runs.run_service import DurableRuns
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.search_core.claims.acting import CLAIMS, REQUEST, ClaimActors
from tests.search_core.research.workers import calls, wait_until


class PlayedClaims:
    """Checks of claims with an actor for a checker."""

    def __init__(self, address: str | Path, journal: Path, holds: Sequence[str]) -> None:
        self.actors = ClaimActors(journal=journal, holds=set(holds))
        self.service = ClaimsService(self.actors.claims_parts(), DurableRuns(Database(address), LoopThread()))

    def start(self) -> str:
        return self.service.start(REQUEST).id

    def wait_kept(self, run_id: str, journal: Path, point: str) -> None:
        wait_others_stored(self.service, run_id, journal)


def wait_others_stored(service: ClaimsService, run_id: str, journal: Path) -> None:
    """Return when all checks but the one that is held have ended and are stored."""
    keys = {f"check {claim.number}": finding_key(claim.text) for claim in CLAIMS}

    def stored() -> bool:
        ended = [keys[name] for name in calls(journal)[1]]
        return len(ended) == len(CLAIMS) - 1 and len(service.store.find(run_id, ended)) == len(ended)

    wait_until(stored)
