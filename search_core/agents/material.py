"""Strangers' texts in JSON prepared for an agent: cleaned, shortened, and kept apart from our own words."""

from __future__ import annotations

import json
import secrets
from itertools import accumulate, takewhile
from typing import Any

from search_core.llm.prompt import plain, without_template_marks
from search_core.text.sentences import shorten
from search_core.text.visible import visible

_SIZES = ((4_000, 40), (2_000, 20), (1_000, 12), (500, 8), (300, 5), (150, 3), (80, 2))
"""Characters of a text and entries of a list that are left, the largest that fit."""
_MAX_ENTRY = (1_000, 5)
"""The same within one entry of a list that is given in parts."""
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def length_of(value: Any) -> int:
    """Return the length of *value* as JSON."""
    return len(json.dumps(value, ensure_ascii=False))


def one_line(text: str, most: int) -> str:
    """Return foreign text on one line of at most *most* characters, without hidden characters and marks."""
    return shorten(plain(text), most)


def clean(value: Any) -> Any:
    """Return JSON with cleaned texts and rounded numbers, without empty values."""
    match value:
        case str():
            return without_template_marks(visible(value)).strip()
        case float():
            return round(value, 2)
        case dict():
            return {name: cleaned for name, each in value.items() if (cleaned := clean(each)) not in _EMPTY}
        case list() | tuple():
            return [clean(each) for each in value]
        case _:
            return value


def fit(value: Any, room: int) -> Any:
    """Return JSON of at most *room* characters if possible, with its texts (ending in "…") and lists cut."""
    for chars, entries in _SIZES:
        shorter = _cut(value, chars, entries)
        if length_of(shorter) <= room:
            break
    return shorter


def _cut(value: object, chars: int, entries: int) -> object:
    match value:
        case str():
            return shorten(value, chars)
        case dict():
            return {name: _cut(each, chars, entries) for name, each in value.items()}
        case list():
            return [_cut(each, chars, entries) for each in value[:entries]]
        case _:
            return value


def part_of(whole: str | list[Any], start: int, room: int) -> str | list[Any]:
    """Return the part of a long text or list that fits into *room* characters from *start* on, at least one item."""
    if isinstance(whole, str):
        return whole[start : start + max(1, room)]
    rest = [_cut(entry, *_MAX_ENTRY) for entry in whole[start:]]
    fitting = [*takewhile(lambda used: used <= room, accumulate(map(length_of, rest)))]
    return rest[: max(1, len(fitting))]


def fence(text: str) -> str:
    """Return cleaned *text* between two random marks of 128 bits."""
    mark = f"DATA-{secrets.token_hex(16)}"
    return f"{mark}\n{text}\n{mark}"
