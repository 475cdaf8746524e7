"""Counts of events by outcome and duration, for the report and for Prometheus (exposition format of 2026-11)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, Histogram, disable_created_metrics
from prometheus_client import Counter as Series
from prometheus_client.exposition import generate_latest

from search_core.domain.reply import SearchEvent, SearchStatus
from search_core.health.report import TimeSlice, Totals

RATES = (
    ("success_rate", "web_search_success_rate", "Share of requests of the last 24 h that found something."),
    ("average_results", "web_search_avg_results", "Results of a successful request of the last 24 h."),
    ("timeout_rate", "web_search_timeout_rate", "Share of requests of the last 24 h that timed out."),
)
"""Field of ``Totals``, name and meaning of each gauge."""
TOLD_APART = (SearchStatus.SUCCESS, SearchStatus.NO_RESULTS, SearchStatus.TIMEOUT)
"""Statuses with a count of their own; all others are errors."""
LATENCY_BUCKETS_S = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 30.0)

disable_created_metrics()  # type: ignore[no-untyped-call]  # a second series for each counter, which is never read


def totals(events: Iterable[SearchEvent]) -> Totals:
    """Return the counts of *events*, in any order; only requests that went out count as asked."""
    seen = list(events)
    requests = [event for event in seen if event.asked]
    by_status = Counter(event.status for event in requests)
    success, no_results = by_status[SearchStatus.SUCCESS], by_status[SearchStatus.NO_RESULTS]
    timeout = by_status[SearchStatus.TIMEOUT]
    from_cache = sum(event.from_cache for event in seen)
    latencies = sorted(event.latency_ms for event in requests)
    counts = [event.result_count for event in requests if event.status is SearchStatus.SUCCESS]
    return Totals(
        asked=len(requests),
        success=success,
        no_results=no_results,
        timeout=timeout,
        error=len(requests) - success - no_results - timeout,
        from_cache=from_cache,
        success_rate=success / len(requests) if requests else None,
        timeout_rate=timeout / len(requests) if requests else None,
        average_results=sum(counts) / len(counts) if counts else None,
        average_latency_ms=sum(latencies) / len(latencies) if latencies else None,
        p50_ms=percentile(latencies, 50),
        p95_ms=percentile(latencies, 95),
    )


def percentile(ordered: Sequence[float], percent: int) -> float | None:
    """Return the *percent* percentile (1–100) of the ascending values *ordered*, by nearest rank; None without values.

    The result is always one of the values, never one in between.
    """
    return ordered[-(-percent * len(ordered) // 100) - 1] if ordered else None


def timeline(events: Iterable[SearchEvent], since: datetime, until: datetime, slices: int) -> tuple[TimeSlice, ...]:
    """Return requests that went out, counted in *slices* equal intervals from *since* to *until*.

    Earlier events are left out. Later ones, from a machine with a faster clock, count in the last interval.
    """
    counts: list[Counter[str]] = [Counter() for _ in range(slices)]
    for event in events:
        if event.asked and event.timestamp >= since:
            place = min((event.timestamp - since) * slices // (until - since), slices - 1)
            counts[place][event.status.value if event.status in TOLD_APART else "error"] += 1
    length = (until - since) / slices
    return tuple(TimeSlice(start=since + length * place, **count) for place, count in enumerate(counts))


class Metrics:
    """Counts searches since the start of the process, in a registry of its own; safe to use from any thread."""

    def __init__(self, providers: Iterable[str]) -> None:
        """Take the names of *providers*; each of their series exists from the start, at 0."""
        self._registry = CollectorRegistry()
        self._total = Series(
            "web_search", "Requests by how they ended, kept answers left out.", ("status", "provider"), registry=self._registry
        )
        self._from_cache = Series(
            "web_search_from_cache", "Kept answers used in place of a request.", ("provider",), registry=self._registry
        )
        self._latency = Histogram(
            "web_search_latency_seconds",
            "How long requests that went out took.",
            ("provider",),
            buckets=LATENCY_BUCKETS_S,
            registry=self._registry,
        )
        self._rates = {field: Gauge(name, meaning, registry=self._registry) for field, name, meaning in RATES}
        for name in providers:
            self._from_cache.labels(name)
            self._latency.labels(name)
            for status in SearchStatus:
                self._total.labels(status.value, name)

    def count(self, event: SearchEvent) -> None:
        """Count one event, unless it is a check of a service; never raises."""
        if event.probe:
            return
        name = event.provider
        if event.from_cache:
            self._from_cache.labels(name).inc()
            return
        self._total.labels(event.status.value, name).inc()
        if event.asked:
            self._latency.labels(name).observe(event.latency_ms / 1000)

    def exposition(self, day: Totals) -> tuple[bytes, str]:
        """Return the text and its content type; *day* counts the last 24 hours; rates of services not asked are NaN."""
        for field, gauge in self._rates.items():
            rate: float | None = getattr(day, field)
            gauge.set(math.nan if rate is None else rate)
        return generate_latest(self._registry), CONTENT_TYPE_LATEST
