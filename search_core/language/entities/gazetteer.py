"""Well-known names with their kind and their form in the other script (``gazetteer.tsv``), and finding them in texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

from search_core.language import word_set
from search_core.language.entities.cues import AFTER_NAME
from search_core.language.korean.morphemes import has_hangul

_SIGNS = re.compile(r"[ \-·]")
# Korean names that are also everyday words or parts of them; they need another cue.
_ALSO_WORDS = word_set(
    """
    암 메타 델 토스 기아 구찌 이대 나사 빅뱅 인도 파리 예수 부처 포드 한강 아베 소니 우버 호퍼 윈도 쿠다 대상 놀란 로슈
    다음
    """
)
_ALSO_ENGLISH_WORDS = word_set(
    """
    alphabet amazon apple arm arsenal beatles chelsea eu exo fed gm hp intel is isis kai kari karrot liverpool merck meta micron
    mistral mit ms nio oracle pentagon perplexity rebellions seventeen toss twice ula umc un upstage who
    """
)
"""English names that in lower case are also everyday words ("apple") or parts of other names."""


class EntityKind(StrEnum):
    """Names the kinds of named things."""

    PERSON = "person"
    ORGANIZATION = "organization"
    EVENT = "event"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Entity:
    """One name in a text: ``text == source[start:end]``."""

    text: str
    kind: EntityKind
    start: int
    end: int


_KINDS = {"p": EntityKind.PERSON, "o": EntityKind.ORGANIZATION, "e": EntityKind.EVENT, "x": EntityKind.OTHER}


@dataclass(frozen=True, slots=True)
class KnownName:
    """One known thing with its Korean and English names, the usual ones first; either side may be empty."""

    kind: EntityKind
    korean: tuple[str, ...]
    english: tuple[str, ...]


@lru_cache(maxsize=1)
def known_names() -> tuple[KnownName, ...]:
    """Return all known names; raises ValueError when the shipped table is damaged."""
    table = files("search_core.language.entities").joinpath("gazetteer.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return tuple(KnownName(_KINDS[kind], *(tuple(filter(None, cell.split("|"))) for cell in cells)) for kind, *cells in rows)


@lru_cache(maxsize=1)
def known_by_name() -> Mapping[str, KnownName]:
    """Return the known thing of each name, keyed by ``fold_name``; the first entry of the table wins."""
    by_name: dict[str, KnownName] = {}
    for entry in known_names():
        for name in (*entry.korean, *entry.english):
            by_name.setdefault(fold_name(name), entry)
    return by_name


_DROPPED = dict.fromkeys(map(ord, " -.·\u00a0\t\n"))


def fold_name(name: str) -> str:
    """Return *name* in lower case without spaces, hyphens, dots and middle dots."""
    return name.casefold().translate(_DROPPED)


def known_in(text: str) -> list[Entity]:
    """Return the known names in *text* as whole words; countries and places are of kind other."""
    return [
        Entity(name, entry.kind, match.start(), match.start() + len(name))
        for match in _pattern().finditer(text)
        for name in [match["korean"] or match["english"]]
        if (entry := known_by_name().get(fold_name(name))) is not None
    ]


def write_known_names(text: str) -> str:
    """Return lower-case *text*, as speech recognisers write, with known organisations spelt normally."""
    small = text.casefold()
    usual = {name: written for name, written in _usual_spellings().items() if name in small}
    if not usual:
        return text
    pattern = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(map(re.escape, sorted(usual, key=len, reverse=True)))})(?![a-z0-9])")
    return pattern.sub(lambda match: usual[match[0]], text)


@lru_cache(maxsize=1)
def _usual_spellings() -> Mapping[str, str]:
    names = (name for entry in known_names() if entry.kind is EntityKind.ORGANIZATION for name in (*entry.korean, *entry.english))
    spelled = {name.casefold(): name for name in reversed(list(names)) if name != name.casefold()}
    return {small: name for small, name in spelled.items() if small not in _ALSO_ENGLISH_WORDS}


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    korean: set[str] = set()
    english: set[str] = set()
    for entry in known_names():
        for name in (*entry.korean, *entry.english):
            if name not in _ALSO_WORDS:
                (korean if has_hangul(name) else english).add(name)
    return re.compile(
        rf"(?<![가-힣A-Za-z0-9])(?P<korean>{_alternatives(korean)}){AFTER_NAME}"
        rf"|(?<![A-Za-z0-9])(?P<english>{_alternatives(english)})(?![A-Za-z0-9])"
    )


def _alternatives(names: set[str]) -> str:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(_SIGNS.sub(r"[ \\-·]?", re.escape(name).replace(r"\ ", " ").replace(r"\-", "-")) for name in longest_first)


def is_place(name: str) -> bool:
    """Return whether *name* is a known place or thing, not a person, organisation or event."""
    entry = known_by_name().get(fold_name(name))
    return entry is not None and entry.kind is EntityKind.OTHER
