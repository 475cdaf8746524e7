"""Events by the shape of their names: "GTC 2026", "제32회 올림픽", "Global AI Summit"."""

from __future__ import annotations

from search_core.entities.cues import EVENT_PATTERN
from search_core.entities.kinds import Entity, EntityKind


def event_names(text: str) -> list[Entity]:
    """Return the events whose written shape alone gives them away."""
    found = []
    for match in EVENT_PATTERN.finditer(text):
        name = match.group().strip()
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        found.append(Entity(name, EntityKind.EVENT, start, start + len(name)))
    return found
