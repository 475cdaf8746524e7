"""Records as JSON for a database, readable by versions that know more or fewer fields."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import orjson
from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")
_ADAPTERS: dict[type, TypeAdapter[Any]] = {}
"""Adapters by type, reused because building one takes milliseconds."""


class JsonCodec(Generic[T]):
    """Converts one type of dataclass to and from JSON; fields without a default are supplied when it is read."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    def write(self, value: T, *, without: str = "") -> object:
        """Return *value* as plain JSON values, *without* one of its fields; characters that no database accepts become U+FFFD."""
        return _storable(self._adapter.dump_python(value, mode="json", exclude={without}))

    def read(self, stored: Any, **defaults: Any) -> tuple[T, bool]:
        """Return the value that ``write`` wrote, and whether all of it could be read.

        Unknown fields are skipped; missing and unreadable ones come from *defaults*, else from the dataclass.
        """
        try:
            return self._adapter.validate_python(stored), True
        except ValidationError as error:
            unreadable = {problem["loc"][0] for problem in error.errors(include_url=False, include_input=False) if problem["loc"]}
        readable = (
            {name: value for name, value in stored.items() if name not in unreadable} if isinstance(stored, Mapping) else {}
        )
        return self._adapter.validate_python(defaults | readable), False

    @property
    def _adapter(self) -> TypeAdapter[T]:
        if self._kind not in _ADAPTERS:
            _ADAPTERS[self._kind] = TypeAdapter(self._kind)
        return _ADAPTERS[self._kind]


def storable_text(text: str) -> str:
    """Return *text* with U+FFFD for NUL and lone surrogates, which neither PostgreSQL nor SQLite accepts."""
    try:
        text.encode()
    except UnicodeEncodeError:  # adjacent surrogates are joined into their character
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def json_text(value: object) -> str:
    """Return *value* as JSON text for storage."""
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()


def json_value(text: str) -> object:
    """Return the value of JSON *text*; other text is returned unchanged, so that one row does not hide others."""
    try:
        return orjson.loads(text)
    except ValueError:
        return text


def _storable(value: object) -> object:
    match value:
        case str():
            return storable_text(value)
        case dict():
            return {name: _storable(item) for name, item in value.items()}
        case list():
            return [_storable(item) for item in value]
        case float() if not math.isfinite(value):
            return str(value)  # JSON has no word for it; pydantic reads the text as the number again
        case _:
            return value
