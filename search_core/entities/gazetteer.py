"""Widely known names with their kind and their form in the other script, from ``gazetteer.tsv``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from search_core.entities.kinds import EntityKind

_KINDS = {"p": EntityKind.PERSON, "o": EntityKind.ORGANIZATION, "e": EntityKind.EVENT, "x": EntityKind.OTHER}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownName:
    """One known thing with its Korean and English names, the usual ones first; either side may be empty."""

    kind: EntityKind
    korean: tuple[str, ...]
    english: tuple[str, ...]


@lru_cache(maxsize=1)
def known_names() -> tuple[KnownName, ...]:
    """Return all known names; raises ValueError when the shipped table is damaged."""
    table = files("search_core.entities").joinpath("gazetteer.tsv").read_text(encoding="utf-8")
    return tuple(_read(line) for line in table.splitlines() if line and not line.startswith("#"))


@lru_cache(maxsize=1)
def known_by_name() -> Mapping[str, KnownName]:
    """Return the known thing of each name, keyed by ``fold_name``; the first entry of the table wins."""
    found: dict[str, KnownName] = {}
    for known in known_names():
        for name in (*known.korean, *known.english):
            found.setdefault(fold_name(name), known)
    return found


def fold_name(name: str) -> str:
    """Return *name* in lower case without spaces, hyphens, dots and middle dots."""
    return "".join(character for character in name.casefold() if character not in " -.·\u00a0\t\n")


def _read(line: str) -> KnownName:
    kind, korean, english = line.split("\t")
    return KnownName(kind=_KINDS[kind], korean=_names(korean), english=_names(english))


def _names(cell: str) -> tuple[str, ...]:
    return tuple(name for name in cell.split("|") if name)
