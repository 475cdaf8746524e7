"""The arguments of the tools, read with care: agents guess."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, Field, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from search_core.domain.text_limits import REFERENCE, TextLimit
from search_core.errors import InputError, TooLongError
from search_core.providers.kit.domains import domain_name
from search_core.text.web_address import MAX_HOST_CHARS

MAX_VIDEO_CHARS = 1_000_000
"""Of the text of a subtitle file; twelve hours of speech have less."""
MAX_QUESTION_CHARS = 2_000
"""Of the raw text; the core holds what is left without white space to its own limit."""
MAX_WAIT_S = 25
MAX_CLAIMS = 1_000
"""Numbers in one call; fewer claims are checked at once."""
MAX_REPLY_TOKENS = 20_000
MAX_DOMAINS = 50

Question = Annotated[str, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
Video = Annotated[str, Field(max_length=MAX_VIDEO_CHARS, description="address, id or file text")]
Handle = Annotated[str, Field(max_length=REFERENCE.most)]
Domains = Annotated[
    list[Annotated[str, Field(max_length=MAX_HOST_CHARS), AfterValidator(domain_name)]] | None, Field(max_length=MAX_DOMAINS)
]
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
_LEFT_OUT = frozenset({"additionalProperties", "title", "default", "maxLength", "minLength", "minimum", "maximum"})
"""Said by names, by descriptions, or by a refusal where it matters."""


class _Short(GenerateJsonSchema):
    """Leaves out titles that repeat names."""

    def field_title_should_be_set(self, _: Any) -> bool:
        return False


@cache
def arguments_schema(model: type[BaseModel]) -> Schema:
    """Return the schema of a tool's arguments: each with its type, for some clients take no other."""
    full = model.model_json_schema(schema_generator=_Short)
    properties = {name: _argument(each) for name, each in full["properties"].items()}
    required = full.get("required", [])
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _argument(schema: Schema) -> Schema:
    match schema:
        case {"anyOf": [dict() as one, {"type": "null"}]}:
            return _argument(one)  # what is not wanted is left out
        case {"type": "array", "items": {"type": str(of)}}:
            return {"type": "array", "items": {"type": of}}
        case _:
            return {key: each for key, each in schema.items() if key not in _LEFT_OUT}


def names(text: str = "", **inside: Schema) -> Schema:
    """Return the schema of what may hold the names in *text*, and those of *inside* with what they hold.

    It tells names alone, no types: the instructions of the server say what is what.
    """
    return {"properties": {**{name: {} for name in text.split()}, **inside}}


def entries(text: str) -> Schema:
    """Return the schema of a list whose entries may hold the names in *text*."""
    return {"items": names(text)}


def result_names(text: str = "", **inside: Schema) -> Schema:
    """Return the schema of a tool's structured content: what all of them hold, and what is its own."""
    return {"type": "object", **names(f"status note coverage {text}", **inside)}
