"""How long a search waits for a provider once others have found something, learnt from its recent requests."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from statistics import median

from search_core.domain import SearchEvent, SearchStatus

ANSWERS_REMEMBERED = 20
ANSWERS_TO_KNOW = 5
"""With fewer answers nothing is known about a provider that never hung, and it gets all the time there is."""
UNUSUAL = 3.0
"""A provider may take this many times the median of its recent answers …"""
LEAST_S = 1.0
"""… and never less than this: a cold connection is no illness."""
CUTS_IN_A_ROW = 10
"""After so many searches that did not wait for a provider the next one does: what is never waited for never shows it is well."""
_MAX_DOUBLINGS = 5
"""Each hang in a row doubles that number, so often at most: the longer a provider is away, the fewer searches wait for it."""


class Stragglers:
    """Decides how long a tier whose search is settled waits for the providers that have not replied yet."""

    def __init__(self, providers: Iterable[str]) -> None:
        self._patience = {name: Patience() for name in providers}

    def learn(self, event: SearchEvent, *, cooling_down: bool) -> None:
        """Note how one request ended; *cooling_down* says whether the provider is cooling down now."""
        if not event.from_cache:
            self._patience[event.provider].learn(event.status, event.latency_ms / 1000, cooling_down=cooling_down)

    def last_s(self, waiting: Iterable[str]) -> float:
        """Return how long after asking the last of *waiting* is given up.

        As long as one of them is waited for, the rest may answer too, for that costs nothing.
        """
        return max(self._patience[name].lasts_s() for name in waiting)


class Patience:
    """Remembers how long one provider takes, how often it has just hung and how often it was not waited for since."""

    def __init__(self) -> None:
        self._answers_s: deque[float] = deque(maxlen=ANSWERS_REMEMBERED)
        self._hangs = 0
        self._cuts = 0

    def learn(self, status: SearchStatus, took_s: float, *, cooling_down: bool) -> None:
        """Note how one request ended; a pause wipes a hang, so that the request which tries the provider anew gets its time."""
        if status is SearchStatus.NOT_AWAITED:
            self._cuts += 1
        elif status.answered:
            self._answers_s.append(took_s)
            self._hangs = self._cuts = 0
        elif cooling_down:
            self._hangs = 0
        elif status is SearchStatus.TIMEOUT:
            self._hangs, self._cuts = self._hangs + 1, 0

    def lasts_s(self) -> float:
        """Return how long after being asked the provider is given up; while it is well, not before its slowest recent answer."""
        enough_cuts = CUTS_IN_A_ROW << min(max(self._hangs - 1, 0), _MAX_DOUBLINGS)
        if self._cuts >= enough_cuts or (not self._hangs and len(self._answers_s) < ANSWERS_TO_KNOW):
            return math.inf
        if not self._answers_s:
            return LEAST_S
        return max(LEAST_S, UNUSUAL * median(self._answers_s), 0.0 if self._hangs else max(self._answers_s))
