"""A circuit breaker for failing services.

Three failures in a row, or one "too many requests", stop all calls for some seconds. Then one call tries the service.
"""

from __future__ import annotations

from search_core.domain.reply import SearchStatus

FAILURES_TO_OPEN = 3
PAUSE_S = 30.0
"""Pause after three failures in a row; doubled each time the call that tries the service fails, too."""
REFUSED_PAUSE_S = 60.0
"""Pause after a service said "too many requests" or blocked us, if it named no pause itself; doubled likewise."""
MAX_PAUSE_S = 900.0
"""Longest pause; also the pause after a wrong key or a spent quota, as trying again does not help there."""
_MAX_DOUBLINGS = 5
"""After this many doublings every pause has reached ``MAX_PAUSE_S``; without a limit, numbers would overflow in weeks."""

REFUSED = (SearchStatus.RATE_LIMITED, SearchStatus.BLOCKED)
"""Statuses by which a service says that it is asked too often."""


class CircuitBreaker:
    """The circuit breaker of one service; ``now_s`` is the time of one monotonic clock in seconds."""

    def __init__(self) -> None:
        self._failures = 0
        self._openings = 0
        self._open_until_s: float | None = None
        self._trying = False

    @property
    def closed(self) -> bool:
        """Return whether the service is in normal use: neither paused nor being tested after a pause."""
        return self._open_until_s is None

    def enter(self, now_s: float) -> bool:
        """Return whether a call may go out now; after a pause only one call tests the service."""
        if self._open_until_s is None:
            return True
        if now_s < self._open_until_s or self._trying:
            return False
        self._trying = True
        return True

    def leave(self) -> None:
        """Record a cancelled call, which says nothing about the service."""
        self._trying = False

    def wait_s(self, now_s: float) -> float:
        """Return the seconds until the service may be asked again; 0 if it may be now."""
        return 0.0 if self._open_until_s is None else max(self._open_until_s - now_s, 0.0)

    def note_success(self, now_s: float, *, insisted: bool = False) -> None:
        """Record a readable answer; an answer during a pause counts only if the call *insisted* on being made."""
        if insisted or self.wait_s(now_s) == 0:
            self._failures = self._openings = 0
            self._open_until_s, self._trying = None, False

    def note_failure(self, status: SearchStatus, retry_after_s: float | None, now_s: float) -> None:
        """Record a call that ended in *status*; *retry_after_s* is the pause that the service asked for."""
        self._failures += 1
        pause_s = retry_after_s if retry_after_s is not None else self._pause_s(status, now_s)
        self._trying = False
        if pause_s is None:
            return
        self._failures = 0
        self._openings += 1
        self._open_until_s = max(self._open_until_s or 0.0, now_s + min(pause_s, MAX_PAUSE_S))

    def _pause_s(self, status: SearchStatus, now_s: float) -> float | None:
        """Return the pause after a failure for which the service named none; None to keep asking."""
        grown: int = 2 ** min(self._openings, _MAX_DOUBLINGS)
        if status.lasting:
            return MAX_PAUSE_S
        if status in REFUSED:
            return REFUSED_PAUSE_S * grown
        tried = self._open_until_s is not None and now_s >= self._open_until_s
        return PAUSE_S * grown if tried or self._failures >= FAILURES_TO_OPEN else None
