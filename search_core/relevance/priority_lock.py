"""Turns at what can do one thing at a time: what is waited for most goes first, in order of asking."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum


class Priority(IntEnum):
    """Who goes first."""

    QUESTION = 0
    """One short text, without which nothing can be compared."""
    SEARCH = 1
    JUDGEMENT = 2
    """Many pairs for the entailment model; a search's texts are fewer."""
    BACKGROUND = 3
    """Background work."""


class PriorityLock:
    """Lends turns to threads, one at a time; a lock would go to whichever thread comes by first, again and again the same."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: list[tuple[Priority, int]] = []
        self._numbers = itertools.count()
        self._taken = False

    @property
    def waiting(self) -> int:
        """Return how many wait for a turn."""
        return len(self._waiting)

    @contextmanager
    def take(self, turn: Priority) -> Iterator[None]:
        """Lend the lock when it is free and no waiter has a higher priority."""
        with self._changed:
            place = (turn, next(self._numbers))
            heapq.heappush(self._waiting, place)
            self._changed.wait_for(lambda: not self._taken and self._waiting[0] == place)
            heapq.heappop(self._waiting)
            self._taken = True
        try:
            yield
        finally:
            with self._changed:
                self._taken = False
                self._changed.notify_all()
