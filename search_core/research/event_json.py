"""Events of a run as plain values: as a stream keeps them, and as scripts and the HTTP API are given them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from search_core.domain import (
    ContentChunk,
    Moment,
    PlanMade,
    ReportWritten,
    ResearchEnded,
    ResearchEvent,
    ResearchFailed,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
    StatusChanged,
    SubtaskPlanned,
)
from search_core.storage.json_codec import JsonCodec

EVENT_NAMES: MappingProxyType[type[ResearchEvent], str] = MappingProxyType(
    {
        StatusChanged: "status",
        SubtaskPlanned: "thought",
        PlanMade: "thought",
        SourcesUpdated: "sources_update",
        SourcesComplete: "sources_complete",
        SourceRead: "source_read",
        ContentChunk: "content_chunk",
        ReportWritten: "report",
        ResearchFailed: "error",
        ResearchEnded: "research_complete",
    }
)
"""What each kind of event is called wherever programs read it."""
_FORMS: MappingProxyType[str, JsonCodec[Any]] = MappingProxyType(
    {kind.__name__: JsonCodec(kind, Moment=Moment) for kind in EVENT_NAMES}
)


def event_name(event: ResearchEvent) -> str:
    """Return what *event* is called in a stream of server-sent events."""
    return EVENT_NAMES[type(event)]


def event_json(event: ResearchEvent) -> dict[str, Any]:
    """Return *event* as ``{"event": name, "data": {…}}``; times are ISO 8601, moments seconds."""
    return {"event": event_name(event), "data": _FORMS[type(event).__name__].write(event)}


def encode(event: ResearchEvent) -> dict[str, Any]:
    """Return *event* as ``decode`` reads it again."""
    return {"type": type(event).__name__, "data": _FORMS[type(event).__name__].write(event)}


def decode(value: dict[str, Any]) -> ResearchEvent:
    """Return the event that ``encode`` made *value* of."""
    event: ResearchEvent = _FORMS[value["type"]].read(value["data"])[0]
    return event
