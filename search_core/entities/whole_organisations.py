"""Organisations with the place before and the part after them: "서울 송파경찰서", "고용노동부 창원지청"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from search_core.entities.cues import ORG_PARTS
from search_core.entities.kinds import Entity, EntityKind
from search_core.entities.places import PLACES
from search_core.entities.tails import AFTER_NAME
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
