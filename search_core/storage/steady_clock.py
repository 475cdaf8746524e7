"""A clock that is not believed when it leaps, for what is deleted by its age."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta

LEAP = timedelta(days=1)
"""A clock this far ahead of where it should be has been put forward."""
BELIEVED_AFTER_S = 24 * 60 * 60.0
"""One that has stayed ahead for so long is right."""


class SteadyClock:
    """Tells the time as it should be by what was known first and the time that has passed since; for one thread."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._known: tuple[datetime, float] | None = None
        self._ahead_since: float | None = None

    @property
    def is_set(self) -> bool:
        """Tell whether the clock knows a time to go by."""
        return self._known is not None

    def set(self, moment: datetime) -> None:
        """Take *moment* for the time that it is."""
        self._known = moment, self._monotonic()
        self._ahead_since = None

    def time(self, now: datetime) -> datetime:
        """Return *now*, or an earlier time where *now* is a leap ahead of what is known."""
        passed = self._monotonic()
        if self._known is None:
            self.set(now)
            return now
        moment, at = self._known
        expected = moment + timedelta(seconds=passed - at)
        if now <= expected + LEAP:
            self._ahead_since = None
            return now
        if self._ahead_since is None:
            self._ahead_since = passed
        if passed - self._ahead_since < BELIEVED_AFTER_S:
            return expected
        self.set(now)
        return now
