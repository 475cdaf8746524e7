"""How searching has gone: events, metrics, alerts, and the report the health page shows."""

from search_core.health.alerts import alerts
from search_core.health.assemble import Say, health_report, overall, provider_states
from search_core.health.facts import ProviderFacts, counted_events, counted_facts
from search_core.health.metrics import timeline, totals, totals_by_provider
from search_core.health.prometheus import Metrics
from search_core.health.recorder import EventRecorder, EventStore
from search_core.health.report import (
    Alert,
    HealthReport,
    ProviderHealth,
    ProviderState,
    ServiceStates,
    StoreState,
    TimeSlice,
    Totals,
    hide_queries,
)

__all__ = [
    "Alert",
    "EventRecorder",
    "EventStore",
    "HealthReport",
    "Metrics",
    "ProviderFacts",
    "ProviderHealth",
    "ProviderState",
    "Say",
    "ServiceStates",
    "StoreState",
    "TimeSlice",
    "Totals",
    "alerts",
    "counted_events",
    "counted_facts",
    "health_report",
    "hide_queries",
    "overall",
    "provider_states",
    "timeline",
    "totals",
    "totals_by_provider",
]
