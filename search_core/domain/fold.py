"""What folding events into a record takes."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

RecordT = TypeVar("RecordT", bound=Any)


def take_fields(record: RecordT, event: Any, **changes: Any) -> RecordT:
    """Return *record* with what *event* has in fields of the same names, and with *changes*."""
    known = {field.name for field in fields(record)}
    taken = {field.name: getattr(event, field.name) for field in fields(event) if field.name in known}
    changed: RecordT = replace(record, **{**taken, **changes})
    return changed
