"""JSON of the events of runs, of every kind: as they are stored, and as streams, scripts and the HTTP API have them."""

from __future__ import annotations

from typing import Any, get_args

from search_core.domain import ClaimsEvent, ResearchEvent
from search_core.storage.json_codec import JsonCodec

_CODECS: dict[str, JsonCodec[Any]] = {
    kind.__name__: JsonCodec(kind) for events in (ResearchEvent, ClaimsEvent) for kind in get_args(events)
}


def event_json(event: ResearchEvent | ClaimsEvent) -> dict[str, Any]:
    """Return *event* as ``{"event": name, "data": {…}}``; times are ISO 8601, moments seconds."""
    return {"event": event.name, "data": encode(event)["data"]}


def encode(event: Any) -> dict[str, Any]:
    """Return *event* as ``decode`` reads it again."""
    kind = type(event).__name__
    return {"type": kind, "data": _CODECS[kind].write(event)}


def decode(stored: dict[str, Any]) -> Any:
    """Return the event that ``encode`` made *stored* of."""
    return _CODECS[stored["type"]].read(stored["data"])[0]
