"""The long runs of a process: deep research and checks of claims, over one database and one engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from search_core.runtime import LoopThread
from search_core.wiring.claims import build_claims
from search_core.wiring.components import Components
from search_core.wiring.research import build_research

if TYPE_CHECKING:
    from search_core.claims.service import ClaimsService
    from search_core.durable_runs.run_service import DurableRuns
    from search_core.research.service import ResearchService


@dataclass(frozen=True, slots=True, kw_only=True)
class LongRuns:
    """Holds the services of one process that work on long runs."""

    runs: DurableRuns
    research: ResearchService
    claims: ClaimsService

    def close(self) -> None:
        """Leave what is under way to the next process, and end; a second time does nothing."""
        self.runs.close()


def build_long_runs(components: Components, loop: LoopThread, *, works: bool) -> LongRuns:
    """Return the services of a process, which itself *works* on runs or only starts and follows them."""
    from search_core.durable_runs.run_service import DurableRuns

    runs = DurableRuns(components.database, loop, works=works)
    return LongRuns(runs=runs, research=build_research(components, runs), claims=build_claims(components, runs))
