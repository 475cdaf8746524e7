"""The report for the health page, the terminal and monitoring: the health of searches and the setup of services."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Literal

from search_core.domain.reply import SearchEvent

Overall = Literal["ok", "degraded", "down"]
HIDDEN_QUERY = "(다른 사람의 검색어)"


class ProviderState(StrEnum):
    """Names how a search service is doing."""

    HEALTHY = "healthy"
    DEGRADED = "degraded"
    COOLING_DOWN = "cooling_down"
    ABSENT = "absent"
    """Switched off: its key or address is not set."""
    UNASKED = "unasked"
    """Set up, but not asked in the time of the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Counts of requests in a span of time, and rates in [0, 1] computed from them."""

    asked: int = 0
    success: int = 0
    no_results: int = 0
    timeout: int = 0
    error: int = 0
    """Failures other than timeouts."""
    from_cache: int = 0
    """Answers from the cache; not counted in ``asked``."""
    success_rate: float | None = None
    """None when no service was asked."""
    timeout_rate: float | None = None
    average_results: float | None = None
    """Average number of results of successful requests."""
    average_latency_ms: float | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderHealth:
    """The row of one search service."""

    name: str
    label: str
    state: ProviderState
    korean: str
    """One Korean sentence on the service's state and, if something is wrong, what to do."""
    totals: Totals
    last_success: datetime | None = None
    last_error: SearchEvent | None = None
    last_error_korean: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """A warning for an operator."""

    level: Literal["critical", "warning", "info"]
    cause: str
    """One English sentence for logs."""
    korean: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSlice:
    """Counts the requests in one interval of the timeline."""

    start: datetime
    success: int = 0
    no_results: int = 0
    timeout: int = 0
    error: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreState:
    """Says where events are stored and whether that works."""

    label: str
    """What the page calls the place, Korean."""
    working: bool = True
    korean: str = ""
    """What is broken and its consequence; empty if it works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """The health of searching from ``since`` until ``until``."""

    since: datetime
    until: datetime
    totals: Totals
    providers: tuple[ProviderHealth, ...]
    """Every service of SEARCH_PROVIDERS, in order of asking, those that are not set up last."""
    alerts: tuple[Alert, ...]
    """The most serious first."""
    timeline: tuple[TimeSlice, ...]
    """Intervals of equal length from ``since`` on, including those without requests."""
    events: tuple[SearchEvent, ...]
    """Newest first."""
    store: StoreState


def hide_queries(report: HealthReport, owner: str) -> HealthReport:
    """Return *report* with only *owner*'s queries and without names of owners."""

    def hide(event: SearchEvent) -> SearchEvent:
        return replace(event, owner="", query=event.query if event.owner == owner else HIDDEN_QUERY)

    providers = (replace(row, last_error=row.last_error and hide(row.last_error)) for row in report.providers)
    return replace(report, events=tuple(map(hide, report.events)), providers=tuple(providers))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFacts:
    """The setup of a search service, and whether it is cooling down."""

    name: str
    label: str
    """What the page calls it."""
    absent_because: str | None = None
    """Korean sentence on why the service cannot be asked; None if it can be."""
    fault: str = ""
    """Korean sentence about a broken part that the service needs, such as the library's file; empty if none is known."""
    web: bool = True
    """False for the library, which says nothing about the web."""
    wait_s: float = 0.0
    """Seconds it still cools down; 0 when it can be asked now."""

    @property
    def available(self) -> bool:
        """Return whether the service is set up, so that a search asks it, at the latest after a pause."""
        return self.absent_because is None


def counted_facts(facts: Iterable[ProviderFacts]) -> tuple[ProviderFacts, ...]:
    """Return the services that count for the state of searching: the web services, or the library if it is the only one.

    The library does not count beside them, because it answers even if the web cannot be reached.
    """
    facts = tuple(facts)
    return tuple(each for each in facts if each.web) or facts


def counted_events(events: Iterable[SearchEvent], facts: Iterable[ProviderFacts]) -> list[SearchEvent]:
    """Return *events* without probes and without services that ``counted_facts`` leaves out."""
    facts = tuple(facts)
    left_out = {each.name for each in facts} - {each.name for each in counted_facts(facts)}
    return [event for event in searches(events) if event.provider not in left_out]


def searches(events: Iterable[SearchEvent]) -> list[SearchEvent]:
    """Return the *events* of searches, without probes."""
    return [event for event in events if not event.probe]
