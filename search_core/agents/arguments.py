"""The arguments of the tools, read with care: agents guess."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from search_core.domain.text_limits import REFERENCE, TextLimit
from search_core.errors import InputError, TooLongError

MAX_VIDEO_CHARS = 1_000_000
"""Of the text of a subtitle file; twelve hours of speech have less."""
MAX_QUESTION_CHARS = 2_000
"""Of the raw text; the core holds what is left without white space to its own limit."""
MAX_WAIT_S = 25
MAX_CLAIMS = 1_000
"""Numbers in one call; fewer claims are checked at once."""
MAX_REPLY_TOKENS = 20_000

Question = Annotated[str, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
Video = Annotated[str, Field(max_length=MAX_VIDEO_CHARS, description="address, id or file text")]
Handle = Annotated[str, Field(max_length=REFERENCE.most)]
Page = Annotated[int, Field(ge=1, le=10_000)]
Seconds = Annotated[float, Field(ge=0, le=10_000_000, allow_inf_nan=False)]


ModelT = TypeVar("ModelT", bound=BaseModel)


def read_arguments(model: type[ModelT], given: object) -> ModelT:
    """Return the arguments as a *model*; raises InputError that names what to change and repeats nothing of what was sent."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        longer = too_long(error)
        if longer is not None:
            raise longer from None
        first = error.errors(include_input=False, include_url=False)[0]
        known = ", ".join(model.model_fields)
        name = str(first["loc"][0])[:40] if first["loc"] else ""
        if first["type"] == "extra_forbidden":
            problem = f"There is no argument of that name. Known: {known}."
        elif first["type"] == "missing":
            problem = f"{name} is missing. Known arguments: {known}."
        else:
            problem = f"{name or 'arguments'}: {first['msg']}. Change it and call again."
        raise InputError(problem, korean="도구에 넘긴 값을 쓸 수 없어요.") from None


def too_long(error: ValidationError) -> TooLongError | None:
    """Return what *error* says where its first fault is a text or a list that is too long; else None."""
    first = error.errors(include_url=False)[0]
    if first["type"] not in ("string_too_long", "too_long"):
        return None
    field = ".".join(map(str, first["loc"]))
    counts = "characters" if first["type"] == "string_too_long" else "entries"
    return TooLongError(TextLimit(field, field, first["ctx"]["max_length"], counts), len(first["input"]))


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
