"""A check of claims, folded from its events."""

from __future__ import annotations

from datetime import UTC, datetime

from search_core.domain.claim import (
    Claim,
    ClaimCheck,
    ClaimMoment,
    ClaimsEnded,
    ClaimsMetrics,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimState,
    ClaimUpdated,
)
from search_core.domain.stance import Stance
from search_core.domain.video import VideoContext

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = datetime(2026, 3, 1, 13, tzinfo=UTC)
FIRST = Claim(number=1, text="HBM4의 대역폭은 2 TB/s예요.", moments=(ClaimMoment(12.0, 15.0, "대역폭은 2테라바이트예요"),))
SECOND = Claim(number=2, text="JEDEC가 2025년 4월에 규격을 냈어요.")


def _begun() -> ClaimsRun:
    return ClaimsRun.begin("run", ClaimsRequest(video=VideoContext(), claims=(SECOND, FIRST)), NOON)


def test_a_run_goes_from_waiting_to_checked_or_left_out():
    """Checks stand in the order of the claims' numbers; a run that ends keeps what was checked and leaves out the rest."""
    assert [(check.claim.number, check.state) for check in _begun().checks] == [(1, ClaimState.WAITING), (2, ClaimState.WAITING)]
    checked = ClaimCheck(claim=FIRST, state=ClaimState.CHECKED, verdict=Stance.CONTRADICTS)
    run = _begun().after(ClaimUpdated(check=checked))
    assert run.checks == (checked, ClaimCheck(claim=SECOND))
    run = run.after(ClaimsEnded(status=ClaimsStatus.STOPPED, metrics=ClaimsMetrics(searches=2), at=LATER))
    assert [check.state for check in run.checks] == [ClaimState.CHECKED, ClaimState.LEFT_OUT]
    assert (run.status, run.ended_at, run.metrics.searches) == (ClaimsStatus.STOPPED, LATER, 2)
    assert run.message == "확인을 멈췄어요. 확인한 것은 남겨 두었어요."


def test_an_ended_run_tells_its_end_again():
    """The event that ended it can be made of what is stored."""
    ended = ClaimsEnded(status=ClaimsStatus.COMPLETE, metrics=ClaimsMetrics(searches=2), coverage=("1쪽을 읽었어요.",), at=LATER)
    assert _begun().after(ended).last_event == ended
