"""When to leave a failing service alone: a circuit breaker without a clock of its own.

Closed, every call passes. Five failures in a row, half of the calls of half a minute, or one answer that asks for a pause open
it. When the pause is over, exactly one probe passes while the others wait for its end; its outcome closes the breaker or opens
it for longer.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from search_core.domain import SearchStatus

FAILURES_TO_OPEN = 5
WINDOW_S = 30.0
MIN_CALLS_TO_JUDGE = 10
"""Of at least so many calls within ``WINDOW_S``, half may not fail."""
PAUSE_S = 30.0
"""Pause after failures; doubled each time the probe fails, too."""
REFUSED_PAUSE_S = 60.0
"""Pause after a service said "too many" or blocked us without naming one."""
MAX_PAUSE_S = 900.0
_MAX_DOUBLINGS = 5
"""By then every pause is at its bound; a service down for weeks must not count on into numbers no clock has."""

_ASKS_FOR_PAUSE = (SearchStatus.RATE_LIMITED, SearchStatus.BLOCKED, SearchStatus.QUOTA_EXHAUSTED)
_NOT_THE_SERVICE = (SearchStatus.API_KEY_MISSING, SearchStatus.INVALID_API_KEY, SearchStatus.COOLING_DOWN)
"""Outcomes a pause does not help against."""


@dataclass(frozen=True, slots=True, eq=False)
class Permit:
    """Allows one call; hand it back by ``note_success``, ``note_failure`` or ``release``."""

    era: int
    probe: bool
    entered_s: float


class CircuitBreaker:
    """The state of one service; every method takes the time in seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._failures = 0
        self._openings = 0
        self._open_until_s: float | None = None
        self._probe: Permit | None = None
        self._era = 0
        self._recent: deque[tuple[float, bool]] = deque(maxlen=1000)
        """When each call failed, or went out if it succeeded, and whether it failed; only those of this era."""

    def enter(self, now_s: float) -> Permit | None:
        """Return the permit for one call, or None while the service is cooling down."""
        if self._open_until_s is None:
            return Permit(self._era, probe=False, entered_s=now_s)
        if now_s < self._open_until_s or self._probe is not None:
            return None
        self._probe = Permit(self._era, probe=True, entered_s=now_s)
        return self._probe

    @property
    def probing(self) -> bool:
        """Return whether the one call that tries the service after its pause is under way."""
        return self._probe is not None

    def wait_s(self, now_s: float) -> float:
        """Return how many seconds remain until the service may be asked again; 0 when it may be now."""
        return 0.0 if self._open_until_s is None else max(self._open_until_s - now_s, 0.0)

    def note_success(self, permit: Permit) -> None:
        """Note that the call of *permit* got a readable answer; a call from before the pause began says nothing about now."""
        if permit.era != self._era:
            return
        self._failures = self._openings = 0
        self._recent.append((permit.entered_s, False))
        if self._open_until_s is not None:
            self._probe, self._open_until_s = None, None
            self._era += 1

    def note_failure(self, permit: Permit, status: SearchStatus, retry_after_s: float | None, now_s: float) -> None:
        """Note that the call of *permit* ended in *status*; *retry_after_s* is the pause the service itself asked for."""
        if permit.era != self._era:
            return
        half_open = self._open_until_s is not None and now_s >= self._open_until_s
        probe = permit is self._probe or (half_open and self._probe is None)  # a failing call that went out without it counts too
        self._probe = None if probe else self._probe
        if status in _NOT_THE_SERVICE:
            if probe:
                self._open(PAUSE_S, now_s)
            return
        self._failures += 1
        self._recent.append((now_s, True))
        if retry_after_s is not None:
            self._open(retry_after_s, now_s)
        elif status in _ASKS_FOR_PAUSE:
            self._open(REFUSED_PAUSE_S * self._grown(), now_s)
        elif probe or self._failures >= FAILURES_TO_OPEN or self._fails_too_often(now_s):
            self._open(PAUSE_S * self._grown(), now_s)

    def free_permit(self) -> Permit:
        """Return a permit that ignores the pause: for a failure seen outside a call, and for a call that the user insists on."""
        return Permit(self._era, probe=False, entered_s=0.0)

    def release(self, permit: Permit) -> None:
        """Note that the call of *permit* was cancelled, which says nothing about the service."""
        if permit is self._probe:
            self._probe = None

    def _fails_too_often(self, now_s: float) -> bool:
        while self._recent[0][0] < now_s - WINDOW_S:
            self._recent.popleft()
        return len(self._recent) >= MIN_CALLS_TO_JUDGE and 2 * sum(failed for _, failed in self._recent) >= len(self._recent)

    def _grown(self) -> int:
        return 1 << min(self._openings, _MAX_DOUBLINGS)

    def _open(self, pause_s: float, now_s: float) -> None:
        self._openings += 1
        self._failures = 0
        self._recent.clear()
        self._era += 1
        self._open_until_s = now_s + min(pause_s, MAX_PAUSE_S)
