"""JSON of the events of a run, for streams, scripts and the HTTP API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from search_core.storage.json_codec import JsonCodec

EventT = TypeVar("EventT")


class EventCodec(Generic[EventT]):
    """Writes and reads the events of one kind of run."""

    def __init__(self, kinds: Iterable[type]) -> None:
        """Take the types of these events, dataclasses with a ``name``."""
        self._codecs: dict[str, JsonCodec[Any]] = {kind.__name__: JsonCodec(kind) for kind in kinds}

    def event_json(self, event: EventT) -> dict[str, Any]:
        """Return *event* as ``{"event": name, "data": {…}}``; times are ISO 8601, moments seconds."""
        return {"event": event.name, "data": self._write(event)}  # type: ignore[attr-defined]

    def encode(self, event: EventT) -> dict[str, Any]:
        """Return *event* as ``decode`` reads it again."""
        return {"type": type(event).__name__, "data": self._write(event)}

    def decode(self, value: dict[str, Any]) -> EventT:
        """Return the event that ``encode`` made *value* of."""
        event: EventT = self._codecs[value["type"]].read(value["data"])[0]
        return event

    def _write(self, event: EventT) -> Any:
        return self._codecs[type(event).__name__].write(event)
