"""What of a query can be said in the other script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from search_core.domain import QueryPart
from search_core.entities import translate_name
from search_core.korean import has_hangul

_YEAR = re.compile(r"((?:1\d|20)\d\d)년?")
_LONGEST_NAME = 3
"""Parts of the query that may be one name together ("제임스", "웹")."""


class Translation(NamedTuple):
    """A query in the other script."""

    text: str
    parts: int
    """How many parts of the query it says."""


def translate_query(parts: Sequence[QueryPart]) -> Translation | None:
    """Return what of the *parts* is known in the other script: names, words written in it already, and years as digits.

    None when no name among them is known in both scripts. A query with Hangul is put into Latin, any other into Hangul.
    """
    to_latin = any(has_hangul(part.text) for part in parts)
    translated: list[str] = []
    known = False
    index = 0
    while index < len(parts):
        name, taken = _name_at(parts, index)
        if name is None:
            text = _in_script(parts[index].text, latin=to_latin)
        else:
            known = True
            own = " ".join(part.text for part in parts[index : index + taken])
            text = name if has_hangul(own) == to_latin else own
        if text and text.casefold() not in (one.casefold() for one in translated):
            translated.append(text)
        index += taken
    return Translation(" ".join(translated), len(translated)) if known else None


def _name_at(parts: Sequence[QueryPart], index: int) -> tuple[str | None, int]:
    """Return the name that starts at *index* in its other script, and how many parts it takes."""
    for size in range(min(_LONGEST_NAME, len(parts) - index), 0, -1):
        name = translate_name(" ".join(part.text for part in parts[index : index + size]))
        if name is not None:
            return name, size
    return None, 1


def _in_script(text: str, *, latin: bool) -> str:
    """Return the words of *text* that are in the wanted script, and its years."""
    words = []
    for word in text.split():
        year = _YEAR.fullmatch(word)
        if year:
            words.append(year[1])
        elif has_hangul(word) != latin and any(letter.isalpha() for letter in word):
            words.append(word)
    return " ".join(words)
