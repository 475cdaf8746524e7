"""How searching has gone: events, metrics, alerts, and the report the health page shows."""

from search_core.health.event_store import EventStore
from search_core.health.report import (
    Alert,
    HealthReport,
    ProviderHealth,
    ProviderState,
    StoreState,
    TimeSlice,
    Totals,
)

__all__ = [
    "Alert",
    "EventStore",
    "HealthReport",
    "ProviderHealth",
    "ProviderState",
    "StoreState",
    "TimeSlice",
    "Totals",
]
