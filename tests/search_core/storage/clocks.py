"""Clocks that go on only when a test moves them."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.search_core.storage.sample_records import NOON


class Seconds:
    """Counts seconds from a beginning, as ``time.monotonic`` does."""

    def __init__(self, at_s: float = 0.0) -> None:
        self.at_s = at_s

    def __call__(self) -> float:
        return self.at_s


class Moment:
    """Returns a date and time; each call may take *step* of it."""

    def __init__(self, now: datetime = NOON, step: timedelta = timedelta(0)) -> None:
        self.now = now
        self.step = step

    def __call__(self) -> datetime:
        self.now += self.step
        return self.now

    def advance(self, **units: float) -> None:
        self.now += timedelta(**units)
