"""JSON of the events of a check of claims, for streams, scripts and the HTTP API."""

from __future__ import annotations

from typing import get_args

from search_core.domain import ClaimsEvent
from search_core.durable_runs.event_codec import EventCodec

EVENTS: EventCodec[ClaimsEvent] = EventCodec(get_args(ClaimsEvent))
event_json = EVENTS.event_json
encode = EVENTS.encode
decode = EVENTS.decode
