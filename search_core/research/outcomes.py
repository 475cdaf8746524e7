"""The outcomes of the steps of research, as DBOS stores them, and the findings of a run, which runs that continue it reuse.

Findings are plans, searches and pages. They outlive versions: they are read as 0.3.0 wrote them.
"""

from __future__ import annotations

from dataclasses import dataclass

from search_core.domain import ReportWritten, ResearchFailed, ResearchSource, SearchResult, SubtaskState
from search_core.durable_runs.control import StepOutcome
from search_core.gathering import canonical_url
from search_core.research.coverage import Reported
from search_core.research.planning import Plan
from search_core.storage.json_codec import JsonCodec


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """The text of a page."""

    text: str
    shortened: bool = False
    """True when the page is longer."""


SEARCH = JsonCodec(SearchOutcome)
PAGE = JsonCodec(PageText)
PLAN = JsonCodec(Plan)
PLAN_KEY = "plan"


def search_key(text: str, *, own_only: bool) -> str:
    """Return the key of what was found for *text*.

    It does not begin with "search:", as it did up to 0.3.0: those findings do not say which results are own documents.
    """
    return f"{'own' if own_only else 'web'} search:{text}"


def page_key(url: str, *, own: bool = False) -> str:
    """Return the key of the text of a page, however its address is written.

    A document of the library has a key of its own even where it is a copy of a page: who may be sent its text differs.
    """
    return f"document:{url}" if own else f"page:{canonical_url(url) or url}"


def source_key(source: ResearchSource) -> str:
    """Return the key of the text of *source*."""
    return page_key(source.url, own=source.own)
