"""The health of searching: events, metrics, alerts, and the report on the health page."""

from search_core.health.assemble import alerts, health_report, overall, provider_states
from search_core.health.metrics import Metrics, timeline, totals
from search_core.health.recorder import EventRecorder
from search_core.health.report import (
    Alert,
    HealthReport,
    Overall,
    ProviderFacts,
    ProviderHealth,
    ProviderState,
    StoreState,
    TimeSlice,
    Totals,
    counted_events,
    counted_facts,
    hide_queries,
)
