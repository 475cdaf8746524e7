"""Events of a run as plain values: as a stream keeps them, and as scripts and the HTTP API are given them."""

from __future__ import annotations

from typing import Any, get_args

from search_core.domain import ResearchEvent
from search_core.storage.json_codec import JsonCodec

_CODECS: dict[str, JsonCodec[Any]] = {kind.__name__: JsonCodec(kind) for kind in get_args(ResearchEvent)}


def event_json(event: ResearchEvent) -> dict[str, Any]:
    """Return *event* as ``{"event": name, "data": {…}}``; times are ISO 8601, moments seconds."""
    return {"event": event.name, "data": _write(event)}


def encode(event: ResearchEvent) -> dict[str, Any]:
    """Return *event* as ``decode`` reads it again."""
    return {"type": type(event).__name__, "data": _write(event)}


def decode(value: dict[str, Any]) -> ResearchEvent:
    """Return the event that ``encode`` made *value* of."""
    event: ResearchEvent = _CODECS[value["type"]].read(value["data"])[0]
    return event


def _write(event: ResearchEvent) -> Any:
    return _CODECS[type(event).__name__].write(event)
