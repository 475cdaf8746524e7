"""The face of checks of claims: runs are started, followed, halted and looked up again; all of it synchronous but ``follow``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.claims.parts import ClaimsParts
from search_core.claims.request_rules import validate_claims
from search_core.claims.run_kind import CLAIMS
from search_core.domain import Claim, ClaimCheck, ClaimsBudget, ClaimsEntry, ClaimsEvent, ClaimsRequest, ClaimsRun, ClaimState
from search_core.durable_runs.errors import RunStateError
from search_core.durable_runs.run_service import RunService

if TYPE_CHECKING:
    from search_core.claims.store import ClaimsStore


class ClaimsService(RunService[ClaimsRequest, ClaimsRun, ClaimsEvent, "ClaimsStore", ClaimsParts]):
    """Checks the claims of videos, or starts and follows what other processes check."""

    kind = CLAIMS

    def budget(self, claims: Sequence[Claim]) -> ClaimsBudget:
        """Return what checking *claims* takes, without a request; raises ClaimsRequestError when they cannot be checked."""
        return self.parts.budget(len(validate_claims(claims)))

    def resume(self, run_id: str, owner: str) -> ClaimsRun:
        """Start a run that continues another: claims that one has checked are not checked again.

        Raises RunStateError when that run has not ended, or when all its claims were checked.
        """
        stored = self.store.load(run_id, owner)
        if not stored.status.ended or (stored.record is not None and all(map(_is_checked, stored.record.checks))):
            raise RunStateError(
                "Only a run that has ended, and not with all its claims checked, can go on.",
                korean="끝났지만 아직 확인하지 못한 주장이 남은 것만 이어서 할 수 있어요.",
            )
        return self.start(replace(stored.request, continues=run_id))

    def list(self, owner: str, video_key: str | None = None) -> tuple[ClaimsEntry, ...]:
        """Return the runs of *owner*, newest first; only those of one video when that is named."""
        return self._entries(owner, video_key=video_key)

    def _validate(self, request: ClaimsRequest) -> ClaimsRequest:
        return replace(request, claims=validate_claims(request.claims))

    def _make_store(self) -> ClaimsStore:
        from search_core.claims.store import ClaimsStore

        return ClaimsStore(self._runs.database)

    @property
    def workflow(self) -> Callable[[str, str], Awaitable[None]]:
        """Return what checks claims, given the run's id and its own."""
        from search_core.claims.workflow import check_claims

        return check_claims


def _is_checked(check: ClaimCheck) -> bool:
    return check.state is ClaimState.CHECKED
