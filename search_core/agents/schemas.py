"""JSON schemas of arguments and results, as short as they can be said: each agent reads them before its first call."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

Schema = dict[str, Any]
_LEFT_OUT = frozenset(
    {"$defs", "additionalProperties", "title", "default", "maxItems", "maxLength", "minLength", "minimum", "maximum"}
)
"""Said by names, by descriptions, or by a refusal where it matters."""


class _Short(GenerateJsonSchema):
    """Leaves out titles that repeat names."""

    def field_title_should_be_set(self, _: Any) -> bool:
        return False


@cache
def short_schema(kind: Any) -> Schema:
    """Return the schema of an object: of arguments by their model, or of structured content by its type."""
    full = TypeAdapter(kind).json_schema(schema_generator=_Short)
    kept: Schema = _inline(full, full.get("$defs", {}))
    required = full.get("required", [])
    return {"type": "object", "properties": kept["properties"], **({"required": required} if required else {})}


def _inline(value: Any, types: Schema, *, names: bool = False) -> Any:
    """Return a schema with each reference replaced by what it refers to, and without what is said elsewhere.

    Where *names* is true the keys are names of properties, which stay. Of what is nested, types are told and not which of it is
    always there.
    """
    match value:
        case {"$ref": str(reference)}:
            nested: Schema = _inline(types[reference.rpartition("/")[2]], types)
            nested.pop("required", None)
            return nested
        case {"enum": values}:
            return {"enum": values}
        case {"type": "array", "items": {"type": "string"}}:
            return {"type": "array"}
        case {"anyOf": [{"type": one}, {"type": "null"}]}:
            return {"type": one}  # what is unknown is left out
        case dict():
            kept = {key: each for key, each in value.items() if names or key not in _LEFT_OUT}
            if not names and "properties" in kept:
                kept.pop("description", None)
            return {key: _inline(each, types, names=key == "properties") for key, each in kept.items()}
        case list():
            return [_inline(each, types) for each in value]
        case _:
            return value
