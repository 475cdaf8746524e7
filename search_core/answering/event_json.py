"""Events of an answer as plain values for JSON: the shape that scripts rely on."""

from __future__ import annotations

from typing import Any

from search_core.domain import AnswerEvent
from search_core.domain.plain_json import plain_json


def event_json(event: AnswerEvent) -> dict[str, Any]:
    """Return *event* as ``{"event": name, "data": {…}}``; times are ISO 8601, moments seconds."""
    return {"event": event.name, "data": plain_json(event)}
