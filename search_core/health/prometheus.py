"""Numbers for Prometheus, in its text format (prometheus.io/docs/instrumenting/exposition_formats, 2026-11)."""

from __future__ import annotations

import math
from collections.abc import Iterable

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.exposition import generate_latest

from search_core.domain import SearchEvent, SearchStatus
from search_core.health.report import Totals

LATENCY_BUCKETS_S = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 30.0)
OTHER = "other"
"""Label of a service that was not known at the start: label values must not grow with what is asked."""

disable_created_metrics()  # type: ignore[no-untyped-call]  # a second series for each counter, which is never read


class Metrics:
    """Counts searches since the start of the process, in a registry of its own; safe to use from any thread."""

    def __init__(self, providers: Iterable[str]) -> None:
        """Take the names of *providers*; each of their series exists from the start, at 0."""
        self._providers = frozenset(providers)
        self._registry = CollectorRegistry()
        self._total = Counter(
            "web_search", "Requests by how they ended, kept answers left out.", ("status", "provider"), registry=self._registry
        )
        self._from_cache = Counter(
            "web_search_from_cache", "Kept answers used in place of a request.", ("provider",), registry=self._registry
        )
        self._latency = Histogram(
            "web_search_latency_seconds",
            "How long requests that went out took.",
            ("provider",),
            buckets=LATENCY_BUCKETS_S,
            registry=self._registry,
        )
        self._lost = Counter("web_search_events_lost", "Events the event store did not take.", registry=self._registry)
        self._success_rate = self._gauge("web_search_success_rate", "Share of requests of the last 24 h that found something.")
        self._average_results = self._gauge("web_search_avg_results", "Results of a successful request of the last 24 h.")
        self._timeout_rate = self._gauge("web_search_timeout_rate", "Share of requests of the last 24 h that timed out.")
        for name in self._providers:
            self._from_cache.labels(name)
            self._latency.labels(name)
            for status in SearchStatus:
                self._total.labels(status.value, name)

    def count(self, event: SearchEvent) -> None:
        """Count one event, unless it is a check of a service; never raises."""
        if event.probe:
            return
        name = event.provider if event.provider in self._providers else OTHER
        if event.from_cache:
            self._from_cache.labels(name).inc()
            return
        self._total.labels(event.status.value, name).inc()
        if event.asked:
            self._latency.labels(name).observe(event.latency_ms / 1000)

    def lost(self, events: int) -> None:
        """Count events that the event store did not take."""
        self._lost.inc(events)

    def exposition(self, day: Totals) -> tuple[bytes, str]:
        """Return the text and its content type; *day* counts the last 24 hours, rates of nobody asked are NaN."""
        self._success_rate.set(_number(day.success_rate))
        self._average_results.set(_number(day.average_results))
        self._timeout_rate.set(_number(day.timeout_rate))
        return generate_latest(self._registry), CONTENT_TYPE_LATEST

    def _gauge(self, name: str, meaning: str) -> Gauge:
        return Gauge(name, meaning, registry=self._registry)


def _number(rate: float | None) -> float:
    return math.nan if rate is None else rate
