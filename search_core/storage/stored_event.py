"""Search events as one line of JSON, the form in which both event logs keep them."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC

from pydantic import TypeAdapter, ValidationError

from search_core.domain import SearchEvent

MAX_EVENT_BYTES = 64 << 10
"""A question and a sentence take less than 4 kB; anything longer was not written by us."""

_events = TypeAdapter(SearchEvent)


def pack(event: SearchEvent) -> bytes:
    """Return *event* as JSON, its timestamp in ISO 8601 with ``Z``; what is no Unicode in its texts becomes a question mark."""
    cause = event.error_message
    return _events.dump_json(
        replace(
            event,
            query=_unicode(event.query),
            error_message=None if cause is None else _unicode(cause),
            timestamp=event.timestamp.astimezone(UTC),
        ),
        exclude=None if event.owner else {"owner"},
    )


def unpack(packed: object) -> SearchEvent | None:
    """Return the event in *packed*, or None when it was not written by ``pack``."""
    if not isinstance(packed, bytes | str) or len(packed) > MAX_EVENT_BYTES:
        return None
    try:
        event = _events.validate_json(packed)
    except ValidationError:
        return None
    believed = event.timestamp.tzinfo is not None and event.result_count >= 0 and math.isfinite(event.latency_ms)
    return event if believed else None


def _unicode(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
