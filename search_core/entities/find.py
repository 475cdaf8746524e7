"""Finds the names in a text by morphemes, cue words and lists of widely known names.

No model is at work: a name no cue points to and no list holds is found only when its shape gives it away.
"""

from __future__ import annotations

from collections.abc import Iterable

from search_core.entities.cues import EVENT_PATTERN
from search_core.entities.english import english_names
from search_core.entities.kinds import Entity, EntityKind
from search_core.entities.known import known_in
from search_core.entities.korean_names import korean_names
from search_core.entities.whole_organisations import widen_organisations

__all__ = ["Entity", "EntityKind", "find_entities"]


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
