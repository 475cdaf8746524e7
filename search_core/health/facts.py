"""What is known of a search service without looking at its requests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from search_core.domain import SearchEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFacts:
    """Says how a search service is set up and whether it is cooling down."""

    name: str
    label: str
    """What the page calls it."""
    absent_because: str | None = None
    """Korean sentence why it cannot be asked; None when it can."""
    fault: str = ""
    """Korean sentence about what it rests on and cannot be used; empty where nothing is known of one."""
    missing_keys: tuple[str, ...] = ()
    """Names of the settings it lacks, upper case."""
    in_use: bool = True
    """False when SEARCH_PROVIDERS leaves it out."""
    web: bool = True
    """False for the library, which says nothing about the web."""
    wait_s: float = 0.0
    """Seconds it still cools down; 0 when it can be asked now."""

    @property
    def usable(self) -> bool:
        """Return whether a search would ask it, now or after its pause."""
        return self.in_use and self.absent_because is None


def counted_facts(facts: Iterable[ProviderFacts]) -> tuple[ProviderFacts, ...]:
    """Return the services in use that show how searching the web goes; the library only where no other is in use.

    The library answers while the web is away.
    """
    used = tuple(each for each in facts if each.in_use)
    return tuple(each for each in used if each.web) or used


def counted_events(events: Iterable[SearchEvent], facts: Iterable[ProviderFacts]) -> list[SearchEvent]:
    """Return *events* without checks of a service and without those of services that ``counted_facts`` leaves out."""
    facts = tuple(facts)
    left_out = {each.name for each in facts if each.in_use} - {each.name for each in counted_facts(facts)}
    return [event for event in searches(events) if event.provider not in left_out]


def searches(events: Iterable[SearchEvent]) -> list[SearchEvent]:
    """Return the events of *events* that are of searches, checks of a service left out."""
    return [event for event in events if not event.probe]
