"""Two kinds of runs on one engine and one database: neither takes the other's runs, commands or leavings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

from search_core.checking.claims.service import ClaimsService
from search_core.checking.claims.workflow import finding_key
from search_core.domain.claim import ClaimsEnded, ClaimsStatus, ClaimUpdated
from search_core.research.service import ResearchService
from search_core.runs.run_kind import RunsUnavailableError
from search_core.runs.run_service import DurableRuns
from tests.search_core.checking.claims.acting import CLAIMS, COMPLETE_CHECKS, REQUEST, ClaimActors
from tests.search_core.research.acting import REPORT, Actors, completed, folded, followed, open_runs
from tests.search_core.research.workers import calls, wait_until

HELD = "read 4"
"""Where a check is killed: the five others are done."""


class Both:
    """The services of one process."""

    def __init__(self, journal: Path, runs: DurableRuns) -> None:
        self.runs, self.close = runs, runs.close
        self.actors, self.claim_actors = Actors(), ClaimActors(journal=journal)
        self.research = ResearchService(self.actors.parts(), runs)
        self.claims = ClaimsService(self.claim_actors.claims_parts(), runs)


Opens = Callable[[], AbstractContextManager[Both]]


@pytest.fixture
def opens(tmp_path: Path, journal: Path) -> Opens:
    """Return a function that opens both services as one process has them."""
    return partial(open_runs, tmp_path / "maekrak.sqlite", partial(Both, journal))


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def test_both_kinds_go_on_side_by_side_until_the_process_closes(opens: Opens):
    """While a check is held and stopped, research completes; each lists its own runs, and closing one closes both."""
    with opens() as both:
        both.claim_actors.holds = {"search 1"}
        claims_id = both.claims.start(REQUEST).id
        both.claim_actors.wait_held("search 1")
        run = completed(both.research)
        assert run.report == REPORT
        both.claims.cancel(claims_id, "")
        followed(both.claims, claims_id)
        assert both.claims.get(claims_id, "").status is ClaimsStatus.STOPPED
        assert [entry.id for entry in both.claims.list("")] == [claims_id]
        assert [entry.id for entry in both.research.list("")] == [run.id]
        both.research.close()
        both.claims.close()
        with pytest.raises(RunsUnavailableError):
            _ = both.runs.engine
        with pytest.raises(RunsUnavailableError):
            both.claims.events(claims_id, "")
        with pytest.raises(RunsUnavailableError):
            both.research.events(run.id, "")


def test_a_process_that_closes_leaves_its_runs_to_the_next(opens: Opens, journal: Path):
    """Closing does not wait for what is under way: the next process checks what was held, no claim and no event comes twice."""
    with opens() as both:
        both.claim_actors.holds = {HELD}
        run_id = both.claims.start(REQUEST).id
        both.claim_actors.wait_held(HELD)
        wait_others_stored(both.claims, run_id, journal)
    both.claim_actors.wait_idle()
    with opens() as both:
        events = followed(both.claims, run_id)
        run = both.claims.get(run_id, "")
        assert dict(both.claim_actors.began) == {"check 4": 1}
    assert (run.status, run.checks) == (ClaimsStatus.COMPLETE, COMPLETE_CHECKS)
    assert folded(run, events) == run
    checks = [event.check for event in events if isinstance(event, ClaimUpdated)]
    assert len(checks) == len({str(check) for check in checks})
    assert sum(isinstance(event, ClaimsEnded) for event in events) == 1


def wait_others_stored(service: ClaimsService, run_id: str, journal: Path) -> None:
    """Return when all checks but the one that is held have ended and are stored."""
    keys = {f"check {claim.number}": finding_key(claim.text) for claim in CLAIMS}

    def stored() -> bool:
        ended = [keys[name] for name in calls(journal)[1]]
        return len(ended) == len(CLAIMS) - 1 and len(service.store.find(run_id, ended)) == len(ended)

    wait_until(stored)
