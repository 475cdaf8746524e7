"""Values of the domain in the words of JSON: the shape that scripts, files and the HTTP API rely on."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from search_core.domain.video import TranscriptPassage


def plain_json(value: Any, *left_out: str) -> Any:
    """Return *value* as JSON has it: dataclasses and named tuples as objects, tuples as lists, times in ISO 8601.

    Fields of *value* named in *left_out* are left out. A passage of a transcript becomes one text with its beginning and end.
    """
    match value:
        case datetime():
            return value.isoformat()
        case TranscriptPassage():
            return {"start_s": value.start_s, "end_s": value.end_s, "text": value.text, "score": value.score}
        case tuple() if hasattr(value, "_fields"):
            return {name: plain_json(getattr(value, name)) for name in value._fields}
        case tuple():
            return [plain_json(each) for each in value]
        case _ if is_dataclass(value):
            return {field.name: plain_json(getattr(value, field.name)) for field in fields(value) if field.name not in left_out}
        case _:
            return value


def fields_json(value: Any, *names: str) -> dict[str, Any]:
    """Return the attributes *names* of *value* as JSON has them."""
    return {name: plain_json(getattr(value, name)) for name in names}


def event_json(event: Any) -> dict[str, Any]:
    """Return an event of an answer as ``{"event": name, "data": {…}}``, the shape that scripts rely on; moments are seconds."""
    return {"event": event.name, "data": plain_json(event)}
