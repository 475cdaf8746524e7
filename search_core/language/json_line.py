"""Reading and writing JSON lines."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import TextIO

from search_core.domain.plain_json import plain_json
from search_core.errors import InputError

MAX_LINE_CHARS = 20_000_000
"""Longest line that is read; a video with a transcript of a day has two million characters."""
_BYTE_ORDER_MARK = "\ufeff"
_MOST_DIGITS = 4_000
"""Python refuses to read whole numbers of more than 4300 digits."""


def read_lines(source: TextIO) -> Iterator[str]:
    """Yield the lines of *source*; of an overlong line only the beginning is kept and yielded."""
    while line := source.readline(MAX_LINE_CHARS + 1):
        rest = line
        while len(rest) > MAX_LINE_CHARS and not rest.endswith("\n"):
            rest = source.readline(MAX_LINE_CHARS + 1)
        yield line


def read_line(line: str) -> dict[str, object]:
    """Return the JSON object in *line*; NaN, Infinity and overlarge numbers become null.

    Raises InputError when there is none, or the line is too long.
    """
    if len(line) > MAX_LINE_CHARS:
        raise InputError(
            f"The line has more than {MAX_LINE_CHARS} characters.", korean=f"줄이 너무 길어요. {MAX_LINE_CHARS:,}자까지 읽어요."
        )
    try:
        row = json.loads(
            line.strip().lstrip(_BYTE_ORDER_MARK),
            parse_constant=lambda _: None,
            parse_float=_finite,
            parse_int=lambda digits: int(digits) if len(digits) <= _MOST_DIGITS else None,
        )
    except (ValueError, RecursionError) as error:
        raise InputError(f"The line is not JSON: {error}", korean="JSON으로 읽을 수 없는 줄이에요.") from None
    if not isinstance(row, dict):
        raise InputError("The line is not a JSON object.", korean="JSON 객체가 아니에요.")
    return row


def id_of(row: Mapping[str, object]) -> object:
    """Return the id of *row* unchanged; None if it has none, or if the id is nested too deeply to be written."""
    try:
        json.dumps(row.get("id"))
    except RecursionError:
        return None
    return row.get("id")


def as_line(answer: Mapping[str, object]) -> str:
    """Return *answer* as one line of JSON, with records as objects; raises ValueError for a number that JSON lacks."""
    return json.dumps(answer, ensure_ascii=False, allow_nan=False, default=plain_json)


def text_in(value: object) -> str:
    """Return a JSON value as text: a text unchanged, a number in digits, anything else empty."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def number_in(value: object) -> float | None:
    """Return a JSON value as a number, or None for anything else."""
    try:
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    except OverflowError:
        return None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None
