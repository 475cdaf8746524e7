"""The outcomes of the steps of research, as DBOS stores them."""

from __future__ import annotations

from dataclasses import dataclass

from search_core.domain import ReportWritten, ResearchFailed, SearchResult, SubtaskState
from search_core.durable_runs.outcomes import StepOutcome
from search_core.research.coverage import Reported
from search_core.research.planning import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOutcome(StepOutcome):
    """The plan of the run."""

    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOutcome(StepOutcome):
    """What the search for one subtask found."""

    state: SubtaskState = SubtaskState.SEARCHING
    """DONE or FAILED; SEARCHING when the search was interrupted."""
    failure: str = ""
    """One Korean sentence when the search failed or found nothing."""
    ledger: tuple[str, ...] = ()
    """A Korean sentence for each search service that was asked."""
    results: tuple[SearchResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOutcome(StepOutcome):
    """Whether a page was read; its text is stored as a finding."""

    read: bool = False
    failure: str = ""
    """A ``PageFailure`` when it was not."""
    shortened: bool = False
    """True when the page is longer than what is stored of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOutcome(StepOutcome):
    """The report, and the failures on the way to it."""

    report: ReportWritten | None
    """None when nothing was written."""
    reported: Reported
    failures: tuple[ResearchFailed, ...] = ()
