"""How long a provider is worth waiting for once others have found something, learnt from its own recent calls."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable

from search_core.domain import SearchEvent, SearchStatus

ANSWERS_REMEMBERED = 20
ANSWERS_TO_KNOW = 5
"""With fewer answers nothing is known about a provider, and it gets all the time there is."""
UNUSUAL = 3.0
"""A provider that is well may take this many times its slowest recent answer …"""
LEAST_S = 2.0
"""… and never less than this: a cold connection is no illness."""
PHOTO_FINISH_S = 0.02
"""What a hanging provider gets after the slowest of the others: one that is well again may be as fast as they are."""


class Stragglers:
    """Says until when a tier whose search is settled waits for the providers that have not replied yet."""

    def __init__(self, providers: Iterable[str]) -> None:
        self._patience = {name: Patience() for name in providers}

    def learn(self, event: SearchEvent, *, left_alone: bool) -> None:
        """Note how one request ended; *left_alone* says that the provider is cooling down now."""
        if event.asked:
            self._patience[event.provider].learn(event.status, event.latency_ms / 1000, left_alone=left_alone)

    def last_s(self, waiting: Iterable[str], others_s: float) -> float:
        """Return how long after asking the last of *waiting* is given up; the others had all replied after *others_s*.

        As long as one of them is worth waiting for, the rest may answer too, for that costs nothing.
        """
        return max(self._patience[name].lasts_s(others_s) for name in waiting)


class Patience:
    """Remembers how long one provider takes and how often it has just hung."""

    def __init__(self) -> None:
        self._answers_s: deque[float] = deque(maxlen=ANSWERS_REMEMBERED)
        self._hangs = 0

    def learn(self, status: SearchStatus, took_s: float, *, left_alone: bool) -> None:
        """Note how one request ended.

        Cooling down wipes the hangs: the one request that tries the provider afterwards has to be waited for, or a service slower
        than the others could never come back.
        """
        if status.answered:
            self._answers_s.append(took_s)
            self._hangs = 0
        elif left_alone:
            self._hangs = 0
        elif status is SearchStatus.TIMEOUT:
            self._hangs += 1

    def lasts_s(self, others_s: float) -> float:
        """Return how long after being asked the provider is given up; *others_s* is when the others had replied."""
        others_s += PHOTO_FINISH_S
        usual_s = max(self._answers_s, default=0.0)
        if self._hangs > 1:
            return others_s
        if self._hangs == 1:
            return max(others_s, usual_s)
        if len(self._answers_s) < ANSWERS_TO_KNOW:
            return math.inf
        return max(others_s, LEAST_S, UNUSUAL * usual_s)
