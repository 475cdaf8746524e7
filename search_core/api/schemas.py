"""What the JSON schemas of the description are made of."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
TIME: Schema = {"type": "string", "format": "date-time"}
TIME_OR_NULL: Schema = {"type": ["string", "null"], "format": "date-time"}


def an_object(required: dict[str, Schema], **optional: Schema) -> Schema:
    """Return the schema of an object of those properties and no others."""
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **optional},
        "additionalProperties": False,
    }


def a_list(each: Schema) -> Schema:
    """Return the schema of an array."""
    return {"type": "array", "items": each}


def an_event(name: str, about: str, **fields: Schema) -> Schema:
    """Return the schema of an event."""
    return {**an_object({"type": {"const": name}, **fields}), "description": about}


def or_null(schema: Schema) -> Schema:
    """Return a schema that null fits, too."""
    return {"anyOf": [schema, {"type": "null"}]}


VIDEO = or_null(an_object({"video_id": TEXT, "title": TEXT, "url": TEXT}))
