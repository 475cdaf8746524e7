"""Frozen nouns as JSON that a database takes, read again by versions that know more or fewer fields."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import orjson
from pydantic import TypeAdapter, ValidationError

from search_core.domain import TranscriptSegment

T = TypeVar("T")
SLICE = 2_000
"""Segments that pydantic is given at once: some milliseconds."""
_REPLACED = "\N{REPLACEMENT CHARACTER}"
_SEGMENTS = TypeAdapter(tuple[TranscriptSegment, ...])
_TO_VIDEO = ("video", "request")
"""Fields by which a run or a request leads to its video."""


class JsonCodec(Generic[T]):
    """Writes and reads one kind of dataclass; fields without a default are known when it is read.

    A long transcript is written and read in slices: pydantic holds Python's lock, and with it every thread, to its end.
    """

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    def write(self, value: T) -> Any:
        """Return *value* as plain JSON values; letters that no database keeps become U+FFFD."""
        said = _transcript(value) or ()
        if len(said) <= SLICE:
            return _storable(self._adapter.dump_python(value, mode="json"))
        written = self._adapter.dump_python(_with_transcript(value, ()), mode="json")
        segments = [each for part in _slices(said) for each in _SEGMENTS.dump_python(tuple(part), mode="json")]
        return _storable(_with_transcript(written, segments))

    def read(self, stored: Any, **known: Any) -> tuple[T, bool]:
        """Return what ``write`` wrote, and whether all of it could be read.

        Unknown fields are passed over, missing ones and those that cannot be read are as *known*, or have their defaults.
        """
        said = _read_segments(_transcript(stored))
        try:
            value = self._adapter.validate_python(_with_transcript(stored, []) if said else stored)
            return (_with_transcript(value, said) if said else value), True
        except ValidationError as error:
            wrong = {problem["loc"][0] for problem in error.errors(include_url=False, include_input=False) if problem["loc"]}
        readable = {name: value for name, value in stored.items() if name not in wrong} if isinstance(stored, Mapping) else {}
        return self._adapter.validate_python(known | readable), False

    @cached_property
    def _adapter(self) -> TypeAdapter[T]:
        return TypeAdapter(self._kind)


def storable_text(text: str) -> str:
    """Return *text* with U+FFFD for NUL and for halves of letters, which neither PostgreSQL nor SQLite takes."""
    try:
        text.encode()
    except UnicodeEncodeError:  # two halves side by side become the letter they are of
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\0", _REPLACED)


def json_text(value: Any) -> str:
    """Return *value* as the JSON text that is stored."""
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()


def json_value(text: str) -> Any:
    """Return what JSON *text* says; text that is no JSON comes back as it is, so that one row does not hide the others."""
    try:
        return orjson.loads(text)
    except ValueError:
        return text


def _slices(values: Sequence[T]) -> Iterator[Sequence[T]]:
    return (values[start : start + SLICE] for start in range(0, len(values), SLICE))


def _transcript(value: Any) -> Any:
    """Return the transcript of the video that *value*, or what is written of it, leads to; None where it leads to none."""
    for name in _TO_VIDEO:
        if (inner := _get(value, name)) is not None:
            return _transcript(inner)
    return _get(value, "transcript")


def _with_transcript(value: Any, transcript: Sequence[Any]) -> Any:
    """Return *value*, or what is written of it, with another transcript of that video."""
    name, new = "transcript", transcript
    for leading in _TO_VIDEO:
        if (inner := _get(value, leading)) is not None:
            name, new = leading, _with_transcript(inner, transcript)
            break
    return {**value, name: new} if isinstance(value, Mapping) else replace(value, **{name: new})


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _read_segments(written: Any) -> tuple[TranscriptSegment, ...]:
    """Return the segments of a long transcript; none of a short one, which is read at once, or where they cannot be read."""
    if not isinstance(written, list) or len(written) <= SLICE:
        return ()
    try:
        return tuple(segment for part in _slices(written) for segment in _SEGMENTS.validate_python(part))
    except ValidationError:
        return ()


def _storable(value: Any) -> Any:
    match value:
        case str():
            return storable_text(value)
        case dict():
            return {name: _storable(each) for name, each in value.items()}
        case list():
            return [_storable(each) for each in value]
        case float() if not math.isfinite(value):
            return str(value)  # JSON has no word for it; pydantic reads the text as the number again
        case _:
            return value
