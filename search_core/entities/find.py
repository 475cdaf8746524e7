"""Finds the names in a text by morphemes, cue words and lists of widely known names.

No model is at work: a name no cue points to and no list holds is found only when its shape gives it away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from search_core.entities.cues import AFTER_NAME, EVENT_PATTERN, ORG_PARTS, PLACES
from search_core.entities.english import english_names
from search_core.entities.gazetteer import Entity, EntityKind, known_in
from search_core.entities.korean_names import korean_names
from search_core.korean.wordlist import words

_PARTS = "|".join(sorted(ORG_PARTS, key=len, reverse=True))
_PART_AFTER = re.compile(rf" [가-힣]{{0,6}}\d{{0,3}}(?:{_PARTS}){AFTER_NAME}")
_WORD_BEFORE = re.compile(r"([가-힣]{1,7}) $")
_LONGEST_BEFORE = 9
_PLACE_WITH_ENDING = re.compile(r"([가-힣]{2,6})(?:시|도|주|현|특별시|광역시)")
_PLACED = tuple(
    words(
        """
    경찰서 경찰청 지법 지검 고교 고등학교 중학교 초등학교 소방서 대표팀 경찰 검찰 정부 백악관 총영사관 대사관 신화통신 노동신문
    의회 법원 여고
    """
    )
)


def find_entities(text: str) -> tuple[Entity, ...]:
    """Return the names in *text*, in order, none overlapping; any text is accepted."""
    if not text.strip():
        return ()
    proposals = [_event_names(text), known_in(text), korean_names(text), english_names(text)]
    return widen_organisations(text, _without_overlap(text, proposals))


def _without_overlap(text: str, proposals: Iterable[Iterable[Entity]]) -> tuple[Entity, ...]:
    """Keep of overlapping names the longer one, of equally long ones the one of the surer finder, which comes first."""
    ranked = sorted(
        ((entity, rank) for rank, found in enumerate(proposals) for entity in found),
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
    """Return the events whose written shape alone gives them away: "GTC 2026", "제32회 올림픽", "Global AI Summit"."""
    found = []
    for match in EVENT_PATTERN.finditer(text):
        name = match.group().strip()
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        found.append(Entity(name, EntityKind.EVENT, start, start + len(name)))
    return found


def widen_organisations(text: str, entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Return *entities*, which do not overlap and stand in order, with each organisation as wide as it is named in *text*."""
    found: list[Entity] = []
    for entity in entities:
        if found and entity.start < found[-1].end:
            continue
        if entity.kind is EntityKind.ORGANIZATION:
            entity = _widen(text, entity)
            while found and found[-1].end > entity.start:
                found.pop()
        found.append(entity)
    return tuple(found)


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
