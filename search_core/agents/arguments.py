"""The arguments of the tools, read with care: agents guess."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BaseModel, Field, ValidationError

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
