"""How streams are sent."""

from __future__ import annotations

from dataclasses import dataclass, field

from search_core.api.stopping import Stopping


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamRules:
    """Says how streams are sent, times in seconds."""

    stopping: Stopping = field(default_factory=Stopping)
    ping_s: float = 15.0
    """A comment is sent after this long without an event, so that no proxy takes the connection for dead."""
    send_s: float = 20.0
    """A client that reads nothing for this long is cut off."""
    farewell_s: float = 2.0
    """How long a stream may take to send its last event once the server is stopping."""
