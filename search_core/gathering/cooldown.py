"""When to leave a failing service alone: a circuit breaker without a clock of its own.

Closed, every call passes. Five failures in a row, or one answer that asks for a pause, open it. When the pause is over, exactly
one probe passes while the others still wait; its outcome closes the breaker or opens it for longer.
"""

from __future__ import annotations

from dataclasses import dataclass

from search_core.domain import SearchStatus

FAILURES_TO_OPEN = 5
PAUSE_S = 30.0
"""Pause after failures in a row; doubled each time the probe fails, too."""
REFUSED_PAUSE_S = 60.0
"""Pause after a service said "too many" or blocked us without naming one."""
MAX_PAUSE_S = 900.0

_ASKS_FOR_PAUSE = (SearchStatus.RATE_LIMITED, SearchStatus.BLOCKED, SearchStatus.QUOTA_EXHAUSTED)
_NOT_THE_SERVICE = (SearchStatus.API_KEY_MISSING, SearchStatus.INVALID_API_KEY, SearchStatus.COOLING_DOWN)
"""Outcomes a pause does not help against."""


@dataclass(frozen=True, slots=True, eq=False)
class Permit:
    """Allows one call; hand it back by ``succeeded``, ``failed`` or ``released``."""

    era: int
    probe: bool


class Cooldown:
    """Is the state of one service; every method takes the time in seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._failures = 0
        self._openings = 0
        self._open_until_s: float | None = None
        self._probe: Permit | None = None
        self._era = 0

    def enter(self, now_s: float) -> Permit | None:
        """Return the permit for one call, or None while the service is left alone."""
        if self._open_until_s is None:
            return Permit(self._era, probe=False)
        if now_s < self._open_until_s or self._probe is not None:
            return None
        self._probe = Permit(self._era, probe=True)
        return self._probe

    def wait_s(self, now_s: float) -> float:
        """Return how long until asking is worth a try, in seconds; 0 when it is now."""
        return 0.0 if self._open_until_s is None else max(self._open_until_s - now_s, 0.0)

    def succeeded(self, permit: Permit) -> None:
        """Note that the call of *permit* got a readable answer; a call from before the pause began says nothing about now."""
        if permit.era != self._era:
            return
        self._failures = self._openings = 0
        if self._open_until_s is not None:
            self._probe, self._open_until_s = None, None
            self._era += 1

    def failed(self, permit: Permit, status: SearchStatus, retry_after_s: float | None, now_s: float) -> None:
        """Note that the call of *permit* ended in *status*; *retry_after_s* is the pause the service itself asked for."""
        if permit.era != self._era:
            return
        probe = permit is self._probe
        self._probe = None if probe else self._probe
        if status in _NOT_THE_SERVICE:
            if probe:
                self._open(PAUSE_S, now_s)
            return
        self._failures += 1
        if retry_after_s is not None:
            self._open(retry_after_s, now_s)
        elif status in _ASKS_FOR_PAUSE:
            self._open(REFUSED_PAUSE_S * 2**self._openings, now_s)
        elif probe or self._failures >= FAILURES_TO_OPEN:
            self._open(PAUSE_S * 2**self._openings, now_s)

    def unbound(self) -> Permit:
        """Return a permit that asks nobody: for a failure seen outside a call, and for a call the user wants in spite of all."""
        return Permit(self._era, probe=False)

    def released(self, permit: Permit) -> None:
        """Note that the call of *permit* was cancelled, which says nothing about the service."""
        if permit is self._probe:
            self._probe = None

    def _open(self, pause_s: float, now_s: float) -> None:
        self._openings += 1
        self._failures = 0
        self._era += 1
        self._open_until_s = now_s + min(pause_s, MAX_PAUSE_S)
