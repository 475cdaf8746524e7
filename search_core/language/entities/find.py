"""Finds names in a text by morphemes, cue words and lists of well-known names; no model is used."""

from __future__ import annotations

import re
from collections.abc import Iterable

from search_core.language import word_lists
from search_core.language.entities.cues import (
    AFTER_NAME,
    ENGLISH_GIVEN,
    ENGLISH_ORG_WORDS,
    ENGLISH_STOP,
    ENGLISH_TITLES,
    EVENT_PATTERN,
    ORG_PARTS,
    PLACES,
)
from search_core.language.entities.gazetteer import Entity, EntityKind, known_in
from search_core.language.entities.korean_names import korean_names

_LISTS = word_lists("names.txt")

_WORD = (
    r"(?:[A-Z][a-z]+[A-Z][A-Za-z]*|(?:Mr|Mrs|Ms|Dr|Prof|Jr|Sr|Inc|Corp|Ltd|Co|[A-Z])\."
    r"|[A-Z][a-zà-ÿ]*(?:['’][A-Z][a-z]+)?(?:-[A-Za-z][a-z]+)*|[A-Z]{2,}[0-9]*)"
)
_OF = "|".join(
    f"(?<={word} )of " for word in ("University", "Ministry", "Department", "Bank", "Institute", "Bureau", "Academy", "School")
)
_RUN = re.compile(
    rf"(?<![A-Za-z0-9@#/_.-]){_WORD}(?:[ \u00a0](?:{_OF}|de |van |von |da |di |bin |& )?{_WORD}){{0,6}}(?![A-Za-z0-9])"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:\n\"“‘(]\s{0,2}|[-–—•]\s)$")
_TITLE_CHARS = 16
_KOREAN_TITLE = re.compile(r"\s?(?:대표|회장|사장|교수|박사|씨|감독|의원|대통령|CEO|선수|최고경영자)")


def english_names(text: str) -> list[Entity]:
    """Return the names among the capitalised words of *text*."""
    judged = (_judge(text, match.start(), match.end()) for match in _RUN.finditer(text))
    return [entity for entity in judged if entity is not None]


def _judge(text: str, start: int, end: int) -> Entity | None:
    run = text[start:end]
    words = run.split()
    titled = False
    while words and (words[0] in ENGLISH_STOP or words[0] in ENGLISH_TITLES):
        titled = titled or words[0] in ENGLISH_TITLES
        start += len(words[0]) + 1
        words = words[1:]
    while words and (words[-1] in ENGLISH_STOP or (words[-1] in ENGLISH_TITLES and words[-1] != "Co.")):
        titled = titled or words[-1] in ENGLISH_TITLES
        end -= len(words[-1]) + 1
        words = words[:-1]
    if not words:
        return None
    name = text[start:end]
    if words[-1] not in ENGLISH_ORG_WORDS:
        name = name.rstrip(".’'")
    name = name.removesuffix("'s").removesuffix("’s")
    kind = _kind(text, start, name, words, titled=titled)
    return Entity(name, kind, start, start + len(name)) if kind is not None and name else None


def _kind(text: str, start: int, name: str, words: list[str], *, titled: bool) -> EntityKind | None:
    if (words[-1] in ENGLISH_ORG_WORDS and len(words) > 1) or words[0] in ("University", "Ministry", "Department", "Bank"):
        return EntityKind.ORGANIZATION
    after = text[start + len(name) : start + len(name) + _TITLE_CHARS]
    if titled or _KOREAN_TITLE.match(after) or (words[0] in ENGLISH_GIVEN and 2 <= len(words) <= 4):
        return EntityKind.PERSON
    if len(words) == 1 and _SENTENCE_START.search(text[:start][-3:]) and not any(c.isupper() for c in name[1:]):
        return None
    if len(words) == 1 and len(name) < 2:
        return None
    if len(words) > 1 and any(entity.kind is EntityKind.ORGANIZATION for entity in known_in(name)):
        return None  # without full stops names of two sentences stand side by side
    return EntityKind.OTHER


_PART_AFTER = re.compile(rf" [가-힣]{{0,6}}\d{{0,3}}(?:{'|'.join(ORG_PARTS)}){AFTER_NAME}")
_WORD_BEFORE = re.compile(r"([가-힣]{1,7}) $")
_LONGEST_BEFORE = 9
_PLACE_WITH_ENDING = re.compile(r"([가-힣]{2,6})(?:시|도|주|현|특별시|광역시)")
_PLACED = tuple(_LISTS["placed"])


def find_entities(text: str) -> tuple[Entity, ...]:
    """Return the names in *text*, in order, none overlapping; any text is accepted."""
    if not text.strip():
        return ()
    proposals = [_event_names(text), known_in(text), korean_names(text), english_names(text)]
    return widen_organisations(text, _without_overlap(text, proposals))


def _without_overlap(text: str, proposals: Iterable[Iterable[Entity]]) -> tuple[Entity, ...]:
    """Return the names, of overlapping ones only the longest; of equally long ones, the one from the earlier, surer finder."""
    ranked = sorted(
        ((entity, rank) for rank, proposal in enumerate(proposals) for entity in proposal),
        key=lambda pair: (pair[0].start - pair[0].end, pair[1], pair[0].start),
    )
    taken = bytearray(len(text))
    chosen: list[Entity] = []
    for entity, _ in ranked:
        if not any(taken[entity.start : entity.end]):
            taken[entity.start : entity.end] = b"\x01" * (entity.end - entity.start)
            chosen.append(entity)
    return tuple(sorted(chosen, key=lambda entity: entity.start))


def _event_names(text: str) -> list[Entity]:
    """Return events recognisable by their spelling alone: "GTC 2026", "제32회 올림픽", "Global AI Summit"."""
    entities = []
    for match in EVENT_PATTERN.finditer(text):
        name = match.group().strip()
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        entities.append(Entity(name, EntityKind.EVENT, start, start + len(name)))
    return entities


def widen_organisations(text: str, entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Return ordered, disjoint *entities* with each organisation extended to its full name in *text*."""
    widened: list[Entity] = []
    for entity in entities:
        if widened and entity.start < widened[-1].end:
            continue
        if entity.kind is EntityKind.ORGANIZATION:
            entity = _widen(text, entity)
            while widened and widened[-1].end > entity.start:
                widened.pop()
        widened.append(entity)
    return tuple(widened)


def _widen(text: str, entity: Entity) -> Entity:
    start, end = entity.start, entity.end
    before = _WORD_BEFORE.search(text, max(0, start - _LONGEST_BEFORE), start)
    if before is not None and entity.text.endswith(_PLACED) and _is_place(before.group(1)):
        start = before.start()
    after = _PART_AFTER.match(text, end)
    if after is not None:
        end = after.end()
    return Entity(text[start:end], EntityKind.ORGANIZATION, start, end)


def _is_place(word: str) -> bool:
    ending = _PLACE_WITH_ENDING.fullmatch(word)
    return word in PLACES or (ending is not None and ending.group(1) in PLACES)
