"""The face of checks of claims: runs are started, followed, halted and looked up again; all of it synchronous but ``follow``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.claims.errors import ClaimsStateError, ClaimsUnavailableError
from search_core.claims.request_rules import validate_claims, validate_request
from search_core.domain import Claim, ClaimCheck, ClaimsBudget, ClaimsEntry, ClaimsEvent, ClaimsRequest, ClaimsRun, ClaimState
from search_core.durable_runs.control import CommandKind
from search_core.durable_runs.run_service import RunService

if TYPE_CHECKING:
    from search_core.claims.parts import ClaimsParts
    from search_core.claims.store import ClaimsStore
    from search_core.durable_runs.durable_runs import DurableRuns
    from search_core.durable_runs.run_kind import RunKind

KIND = "claims"
QUEUE = "maekrak-claims"


def unchecked(run: ClaimsRun) -> tuple[ClaimCheck, ...]:
    """Return those claims of a run that were not checked, or could not be."""
    return tuple(check for check in run.checks if check.state is not ClaimState.CHECKED)


class ClaimsService(RunService[ClaimsRequest, ClaimsRun, ClaimsEvent, "ClaimsStore"]):
    """Checks the claims of videos, or starts and follows what other processes check; safe to call from many threads.

    Every method that asks the database raises StorageError when it cannot be used; those that name a run raise
    ClaimsNotFoundError when *owner* has no such run, and ClaimsUnavailableError when this process cannot check at all.
    """

    name = KIND
    unavailable = ClaimsUnavailableError

    def __init__(self, parts: ClaimsParts, runs: DurableRuns) -> None:
        """Take what claims are checked with, and the runs of this process, which say where they are stored."""
        super().__init__(runs)
        self._parts = parts

    def budget(self, claims: Sequence[Claim]) -> ClaimsBudget:
        """Return what checking *claims* takes, without a request; raises ClaimsRequestError when they cannot be checked."""
        return self._parts.budget(len(validate_claims(claims)))

    def start(self, request: ClaimsRequest) -> ClaimsRun:
        """Start a run and return at once; raises ClaimsRequestError when the claims cannot be checked."""
        valid = validate_request(request)
        self._parts.get_ready()
        return self._start(valid)

    def stop(self, run_id: str, owner: str) -> None:
        """Stop a run: checks under way end within half a second, those that ended stay. One that has ended is left as it is."""
        self._halt(run_id, owner, CommandKind.STOP)

    def finish(self, run_id: str, owner: str) -> None:
        """Begin with no more claims; checks under way come to their end. A run that has ended is left as it is."""
        super().finish(run_id, owner)

    def resume(self, run_id: str, owner: str) -> ClaimsRun:
        """Start a run that continues another: claims that one has checked are not checked again.

        Raises ClaimsStateError when that run has not ended, or when all its claims were checked.
        """
        stored = self._store.load(run_id, owner)
        if not stored.status.ended or (stored.record is not None and not unchecked(stored.record)):
            raise ClaimsStateError(
                "Only a run that has ended, and not with all its claims checked, can go on.",
                korean="끝났지만 아직 확인하지 못한 주장이 남은 것만 이어서 할 수 있어요.",
            )
        return self.start(replace(stored.request, continues=run_id))

    def list(self, owner: str, video_key: str | None = None) -> tuple[ClaimsEntry, ...]:
        """Return the runs of *owner*, newest first; only those of one video when that is named."""
        return tuple(self._with_unsaved_end(entry) for entry in self._store.entries(owner, video_key))

    def _undeletable_error(self) -> ClaimsStateError:
        return ClaimsStateError("A run that goes on cannot be deleted.", korean="진행 중인 확인이에요. 멈춘 뒤에 지워 주세요.")

    def _make_store(self) -> ClaimsStore:
        from search_core.claims.store import ClaimsStore

        return ClaimsStore(self._runs.database)

    def _make_kind(self) -> RunKind[ClaimsParts, ClaimsStore]:
        from search_core.claims.workflow import WORKFLOW, check_claims
        from search_core.durable_runs.run_kind import RunKind

        return RunKind(
            name=KIND,
            workflow=check_claims,
            workflow_name=WORKFLOW,
            queue=QUEUE,
            runs_at_once=self._parts.limits.runs_at_once,
            runs_everywhere=self._parts.limits.runs_everywhere,
            store=self._store,
            parts=self._parts,
            loop=self._runs.loop,
            now=self._parts.now,
            on_event=self._notify,
            on_end=self._save_end,
        )
