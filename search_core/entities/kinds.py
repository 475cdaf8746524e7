"""What a name in a text is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EntityKind(StrEnum):
    """Names what kind of thing a name stands for."""

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
