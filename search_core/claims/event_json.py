"""Events of a check of claims as plain values: as a stream keeps them, and as scripts and the HTTP API are given them."""

from __future__ import annotations

from typing import get_args

from search_core.domain import ClaimsEvent
from search_core.durable_runs.event_codec import EventCodec

EVENTS: EventCodec[ClaimsEvent] = EventCodec(get_args(ClaimsEvent))
event_json = EVENTS.event_json
encode = EVENTS.encode
decode = EVENTS.decode
