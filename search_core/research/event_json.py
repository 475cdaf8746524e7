"""JSON of the events of research, for streams, scripts and the HTTP API."""

from __future__ import annotations

from typing import get_args

from search_core.domain import ResearchEvent
from search_core.durable_runs.event_codec import EventCodec

EVENTS: EventCodec[ResearchEvent] = EventCodec(get_args(ResearchEvent))
event_json = EVENTS.event_json
encode = EVENTS.encode
decode = EVENTS.decode
