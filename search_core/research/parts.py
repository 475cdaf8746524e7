"""What research is made of; all of it is handed in, because this room knows neither the pipeline nor the network."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Self

from search_core.answering.checking.pages import PageRead
from search_core.domain import ResearchRequest, SearchReport
from search_core.research.planning import Plan
from search_core.research.writing import ReportWriter
from search_core.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchLimits:
    """Bounds what runs take."""

    runs_at_once: int = 3
    """Runs this process works on at the same time."""
    runs_everywhere: int = 0
    """Runs all processes work on at the same time; 0 sets no limit."""
    fetches_at_once: int = 16
    """Pages one run reads at the same time."""
    results_per_subtask: int = 10
    content_length: int = 8_000
    """Characters of a page that are stored."""
    search_timeout_s: float = 60.0
    """Seconds after which a search that bounds itself is taken as lost."""
    plan_timeout_s: float = 120.0
    """Seconds after which a planner that bounds itself is."""
    page_timeout_s: float = 60.0
    """Seconds after which a page is, which may have waited for its host meanwhile."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the limits that *settings* have."""
        return cls(
            runs_at_once=settings.research_runs_at_once,
            runs_everywhere=settings.research_runs_everywhere,
            fetches_at_once=settings.research_fetches_at_once,
            results_per_subtask=settings.max_search_results,
            content_length=settings.max_content_length,
            search_timeout_s=settings.web_search_deadline + settings.playwright_timeout / 1000 + 30,
            page_timeout_s=settings.web_scraper_timeout * 4 + 20,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchParts:
    """Holds what runs are done with; its coroutines run on the loop that the service is given."""

    plan: Callable[[ResearchRequest], Awaitable[Plan]]
    search: Callable[[str, ResearchRequest], Awaitable[SearchReport]]
    """Searches the web for one subtask and bounds its own time; cancelling closes what is open."""
    read: PageRead
    """Reads the page at an address; raises PageReadError."""
    read_own: PageRead | None = None
    """Reads the document of the library at an address, without a request; None where there is no library."""
    writer: ReportWriter
    labels: Mapping[str, str] = field(default_factory=dict)
    """What search services are called."""
    get_ready: Callable[[], None] = lambda: None
    """Begins to get ready what runs need, and returns at once; called when a run is started."""
    limits: ResearchLimits = field(default_factory=ResearchLimits)
    now: Callable[[], float] = time.time
    """Seconds since 1970."""
