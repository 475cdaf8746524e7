"""What all kinds of long runs share: their status, and applying events to records."""

from __future__ import annotations

from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, TypeVar

RecordT = TypeVar("RecordT", bound=Any)


class RunStatus(StrEnum):
    """The status of a run; each kind defines the members, ``queued``, ``stopped`` and ``failed`` among them."""

    @property
    def ended(self) -> bool:
        """Return whether nothing more will happen by itself."""
        return self.value in ("complete", "finished_early", "stopped", "failed")

    @property
    def waits_for_user(self) -> bool:
        """Return whether it waits for the user to continue."""
        return self.value == "planned"

    @property
    def settled(self) -> bool:
        """Return whether nothing happens until the user says so."""
        return self.ended or self.waits_for_user


def take_fields(record: RecordT, event: Any, **changes: Any) -> RecordT:
    """Return *record* with the fields of *event* that it also has, and with *changes*."""
    known = {field.name for field in fields(record)}
    taken = {field.name: getattr(event, field.name) for field in fields(event) if field.name in known}
    changed: RecordT = replace(record, **{**taken, **changes})
    return changed


def record_of(kind: type[RecordT], record: Any, **others: Any) -> RecordT:
    """Return a *kind* made from the fields of *record* with the same names, and from *others*."""
    made: RecordT = kind(
        **{field.name: getattr(record, field.name) for field in fields(kind) if field.name not in others}, **others
    )
    return made
