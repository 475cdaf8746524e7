"""JSON of any length in slices: Python's own reader and writer hold its lock, and with it every thread, to their end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from json import JSONDecodeError
from typing import Any, TypeVar

T = TypeVar("T")
SLICE = 2_000
"""Elements of a list that are written at once: some milliseconds."""
WHOLE_CHARS = 100_000
"""A text up to this length is read at once."""
_LEVELS = 5
"""How many levels of objects are gone through; what is deeper inside, or an element of a list, is short."""
_OPENINGS = frozenset('{["')
_decoder = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


def slices(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield *values* in parts of ``SLICE`` at most."""
    return (values[start : start + SLICE] for start in range(0, len(values), SLICE))


def write_json(value: Any) -> str:
    """Return *value* as JSON text without spaces, letters as they are."""
    return _write(value, _LEVELS)


def read_json(text: str) -> Any:
    """Return what JSON *text* says; raises ValueError for text that is no JSON, and RecursionError as ``json.loads`` does."""
    if len(text) <= WHOLE_CHARS:
        return json.loads(text)
    value, end = _read(text, _skip(text, 0), _LEVELS)
    end = _skip(text, end)
    if end < len(text):
        raise JSONDecodeError("Extra data", text, end)
    return value


def _write(value: Any, levels: int) -> str:
    if levels and isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return "{" + ",".join(f"{_dumps(name)}:{_write(each, levels - 1)}" for name, each in value.items()) + "}"
    if isinstance(value, list) and len(value) > SLICE:
        return "[" + ",".join(_dumps(part)[1:-1] for part in slices(value)) + "]"
    return _dumps(value)


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read(text: str, at: int, levels: int) -> tuple[Any, int]:
    """Return the value that begins at a place, and where it ends."""
    opening = text[at : at + 1]
    if levels and opening == "[":
        return _read_list(text, at + 1)
    if levels and opening == "{":
        return _read_object(text, at + 1, levels - 1)
    return _decoder.raw_decode(text, at)


def _read_list(text: str, at: int) -> tuple[list[Any], int]:
    values: list[Any] = []
    at = _skip(text, at)
    if text[at : at + 1] == "]":
        return values, at + 1
    while True:
        value, at = _decoder.raw_decode(text, at)
        values.append(value)
        if (sign := text[at : at + 1]) != ",":
            at = _skip(text, at)
            if text[at : at + 1] == "]":
                return values, at + 1
            sign = text[at : at + 1]
        if sign != ",":
            raise JSONDecodeError("Expecting ',' delimiter", text, at)
        at = at + 1 if text[at + 1 : at + 2] in _OPENINGS else _skip(text, at + 1)


def _read_object(text: str, at: int, levels: int) -> tuple[dict[str, Any], int]:
    values: dict[str, Any] = {}
    at = _skip(text, at)
    if text[at : at + 1] == "}":
        return values, at + 1
    while True:
        at = _skip(text, at)
        if text[at : at + 1] != '"':
            raise JSONDecodeError("Expecting property name enclosed in double quotes", text, at)
        name, at = _read(text, at, 0)
        at = _expect(":", text, _skip(text, at))
        values[name], at = _read(text, _skip(text, at), levels)
        at = _skip(text, at)
        if text[at : at + 1] == "}":
            return values, at + 1
        at = _expect(",", text, at)


def _expect(sign: str, text: str, at: int) -> int:
    if text[at : at + 1] != sign:
        raise JSONDecodeError(f"Expecting '{sign}' delimiter", text, at)
    return at + 1


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
