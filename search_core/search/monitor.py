"""The health of searching: the health report from events and states, and probes of all services."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from search_core.domain.reply import ProviderReply
from search_core.health.assemble import health_report, overall, provider_states
from search_core.health.metrics import Metrics, totals
from search_core.health.recorder import EventRecorder
from search_core.health.report import HealthReport, Overall, ProviderFacts, ProviderState, counted_events, counted_facts
from search_core.providers.kit.contract import SearchProvider
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.presenting.ledger import status_sentence

PROBE = "위키백과"
"""A query each general search service has results for."""
MAX_EVENTS = 20_000
"""Number of events in a report, the newest ones; a busy day has a few thousand."""
DAY = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class SearchMonitor:
    """Knows the state of every search service; thread-safe."""

    providers: Mapping[str, SearchProvider]
    manager: MultiProviderSearchManager
    recorder: EventRecorder
    metrics: Metrics
    now: Callable[[], datetime]

    def report(self) -> HealthReport:
        """Return the health of searching in the last day; asks no service."""
        now = self.now()
        since = now - DAY
        events, store = self.recorder.recent(since, MAX_EVENTS)
        return health_report(events, self.facts(), now=now, since=since, store=store, say=status_sentence)

    def states(self) -> tuple[Overall, dict[str, ProviderState]]:
        """Return the overall state of search, and each service's state by name, from events in memory."""
        since, facts = self.now() - DAY, self.facts()
        events = [event for event in self.recorder.remembered() if event.timestamp >= since]
        states = provider_states(events, facts)
        return overall(states[fact.name] for fact in counted_facts(facts)), states

    def exposition(self) -> tuple[bytes, str]:
        """Return the metrics in Prometheus's text format, and its content type."""
        events, _ = self.recorder.recent(self.now() - DAY, MAX_EVENTS)
        return self.metrics.exposition(totals(counted_events(events, self.facts())))

    async def probe(self, *, ready: Callable[[], None]) -> tuple[ProviderReply, ...]:
        """Ask every configured service once, also those cooling down, and return the replies.

        *ready* waits until what a search needs is loaded, so that loading does not count as slowness of a service.
        """
        await asyncio.to_thread(ready)
        return await self.manager.probe(PROBE)

    def facts(self) -> tuple[ProviderFacts, ...]:
        """Return all search services in order of asking, including those switched off; sends no request."""
        cooldowns_s = self.manager.cooldowns_s()
        return tuple(
            ProviderFacts(
                name=provider.name,
                label=provider.label,
                absent_because=provider.absent_because(),
                fault=provider.fault(),
                wait_s=cooldowns_s[name],
                web=provider.web,
            )
            for name, provider in self.providers.items()
        )
