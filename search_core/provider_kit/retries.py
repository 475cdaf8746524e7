"""Whether a request is tried a second time, and when.

A second try waits a random part of ``RETRY_SPREAD_S``, so that many callers do not come back at one moment, or as long as the
service asks, and is made only when the time left allows. A client spends at most one second try on ten requests, however long a
service is down: with more, retries would be what keeps it down.
"""

from __future__ import annotations

import random

from search_core.domain import SearchStatus
from search_core.errors import ProviderError

RETRY_SPREAD_S = 0.8
"""Longest pause before a second try when the service names none; never more than a quarter of the time left."""
MAX_RETRY_PAUSE_S = 2.0
"""A longer Retry-After is not waited for; the service cools down instead."""
MIN_RETRY_S = 0.2
"""No second try is made with less time for it: running out of time would hide what was wrong."""


class RetryBudget:
    """Lets second tries be a tenth of all requests of one client."""

    START = 5.0
    MAX = 10.0
    EARNED = 0.1

    def __init__(self) -> None:
        self._tries = self.START

    def earn(self) -> None:
        """Note a request."""
        self._tries = min(self._tries + self.EARNED, self.MAX)

    def spend(self) -> bool:
        """Return whether a second try may be made, and count it."""
        if self._tries < 1:
            return False
        self._tries -= 1
        return True


def pause_before_retry(error: Exception, left_s: float) -> float | None:
    """Return how long to wait before a second try with *left_s* seconds left, in seconds, or None when there is to be none.

    Worth it are errors that say so, and limits that name a short pause.
    """
    if not isinstance(error, ProviderError):
        return None
    asked_s = error.retry_after_s
    if not error.retryable and (error.status is not SearchStatus.RATE_LIMITED or asked_s is None):
        return None
    pause_s = asked_s if asked_s is not None else random.uniform(0, min(RETRY_SPREAD_S, left_s / 4))  # noqa: S311 - no secret
    return pause_s if pause_s <= MAX_RETRY_PAUSE_S and left_s - pause_s >= MIN_RETRY_S else None
