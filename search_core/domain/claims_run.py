"""A check of the claims of a video as it is shown and stored, folded from its events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from search_core.domain.claim import Claim, ClaimCheck, ClaimState
from search_core.domain.stance import JudgingCost
from search_core.domain.video import VideoContext


class ClaimsStatus(StrEnum):
    """Names how far a run is; the last four are ends."""

    QUEUED = "queued"
    CHECKING = "checking"
    COMPLETE = "complete"
    FINISHED_EARLY = "finished_early"
    """The user asked to end it with the claims that were checked, or being checked, by then."""
    STOPPED = "stopped"
    """By the user; what there was stays."""
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Return whether nothing more will happen by itself."""
        return self not in (self.QUEUED, self.CHECKING)

    @property
    def waits_for_user(self) -> bool:
        """Return whether it goes on when the user says so: no check of claims does."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsRequest:
    """Which claims of which video are to be checked."""

    video: VideoContext
    claims: tuple[Claim, ...]
    """Those that the user chose, at least one."""
    owner: str = ""
    """The owner of the run; empty without a login."""
    fresh: bool = False
    """True bypasses stored replies of earlier searches."""
    continues: str = ""
    """Id of the run that this one goes on from: what that one has checked is not checked again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsMetrics:
    """Holds what a run took; durations of single steps are summed over its claims, which are checked side by side."""

    search_duration_ms: float = 0.0
    reading_duration_ms: float = 0.0
    comparison_duration_ms: float = 0.0
    total_ms: float = 0.0
    searches: int = 0
    """Requests to search services that were sent."""
    pages: int = 0
    """Pages that were read."""
    judging: JudgingCost = field(default_factory=JudgingCost)
    """What a language model took to judge what was open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsStatusChanged:
    """How far the run is."""

    name: ClassVar = "status"
    status: ClaimsStatus
    message: str
    """One Korean sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimUpdated:
    """How far the check of one claim is; replaces what was known of it."""

    name: ClassVar = "claim"
    check: ClaimCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsFailed:
    """A failure by its type and in words; the run ends with it only when its status says so."""

    name: ClassVar = "error"
    kind: str
    description: str
    """One English sentence."""
    korean: str
    """One or two Korean sentences: what failed and what to try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsEnded:
    """Ends every run."""

    name: ClassVar = "claims_complete"
    status: ClaimsStatus
    metrics: ClaimsMetrics
    coverage: tuple[str, ...] = ()
    """Korean sentences: asked, failed and why, pages really read, claims left out."""
    at: datetime | None = None
    """Time zone aware."""


ClaimsEvent = ClaimsStatusChanged | ClaimUpdated | ClaimsFailed | ClaimsEnded


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsRun:
    """Holds what the events of a run make together; stored, and shown again as it was."""

    id: str
    request: ClaimsRequest
    status: ClaimsStatus = ClaimsStatus.QUEUED
    message: str = ""
    checks: tuple[ClaimCheck, ...] = ()
    """One for each claim of the request, in the order of their numbers."""
    failures: tuple[ClaimsFailed, ...] = ()
    coverage: tuple[str, ...] = ()
    metrics: ClaimsMetrics = ClaimsMetrics()
    created_at: datetime
    """Time zone aware."""
    ended_at: datetime | None = None

    @property
    def judged_by_rules_alone(self) -> bool:
        """Return whether a claim was judged without the model of entailment."""
        return any(check.judged_by_rules_alone for check in self.checks)

    @classmethod
    def begin(cls, run_id: str, request: ClaimsRequest, at: datetime) -> ClaimsRun:
        """Return a run of which nothing is done yet."""
        ordered = sorted(request.claims, key=lambda claim: claim.number)
        return cls(id=run_id, request=request, checks=tuple(ClaimCheck(claim=claim) for claim in ordered), created_at=at)

    def after(self, event: ClaimsEvent) -> ClaimsRun:
        """Return the run with *event* applied; what is still waiting when a run ends is left out."""
        match event:
            case ClaimsStatusChanged():
                return replace(self, status=event.status, message=event.message)
            case ClaimUpdated(check=check):
                number = check.claim.number
                return replace(self, checks=tuple(check if each.claim.number == number else each for each in self.checks))
            case ClaimsFailed():
                return replace(self, failures=(*self.failures, event))
            case ClaimsEnded():
                return replace(
                    self,
                    status=event.status,
                    checks=tuple(_ended(check) for check in self.checks),
                    metrics=event.metrics,
                    coverage=event.coverage,
                    ended_at=event.at,
                )

    def replay(self) -> Iterator[ClaimsEvent]:
        """Yield events that make this run, which has ended, again; for its readers when its stream was deleted."""
        if self.message:
            yield ClaimsStatusChanged(status=self.status, message=self.message)
        for check in self.checks:
            yield ClaimUpdated(check=check)
        yield from self.failures
        yield ClaimsEnded(status=self.status, metrics=self.metrics, coverage=self.coverage, at=self.ended_at)


def _ended(check: ClaimCheck) -> ClaimCheck:
    if check.state in (ClaimState.CHECKED, ClaimState.FAILED, ClaimState.LEFT_OUT):
        return check
    return replace(check, state=ClaimState.LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsEntry:
    """A run as the history lists it."""

    id: str
    title: str
    """Of the video."""
    status: ClaimsStatus
    claims: int
    video_key: str
    created_at: datetime
    """Time zone aware."""
    ended_at: datetime | None = None
    """None while it goes on."""
    continues: str = ""
    """Id of the run that it goes on from; empty for one of its own."""
