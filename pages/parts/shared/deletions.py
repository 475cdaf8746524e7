"""Deletions by visitors: gone from every list at once, and for good a little later unless undone."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import streamlit as st

from search_core.errors import MaekrakError

logger = logging.getLogger(__name__)
UNDO_S = 12.0
"""Seconds within which a deletion can be undone."""


class Deletions:
    """Deletions of this process that can still be undone; safe to use from many threads."""

    def __init__(self, undo_s: float = UNDO_S) -> None:
        self._undo_s = undo_s
        self._lock = threading.Lock()
        self._waiting: dict[tuple[str, str], tuple[str, Callable[[], object], threading.Timer]] = {}

    def begin(self, owner: str, key: str, title: str, delete: Callable[[], object]) -> None:
        """Call *delete* after a while, unless *owner* undoes it; *title* is what they see."""
        timer = threading.Timer(self._undo_s, self._carry_out, ((owner, key),))
        timer.daemon = True
        with self._lock:
            self._waiting[owner, key] = (title, delete, timer)
        timer.start()

    def pending(self, owner: str) -> dict[str, str]:
        """Return by key the titles of *owner*'s deletions that can still be undone."""
        with self._lock:
            return {key: title for (whose, key), (title, _, _) in self._waiting.items() if whose == owner}

    def undo(self, owner: str, key: str) -> None:
        """Cancel a deletion."""
        with self._lock:
            found = self._waiting.pop((owner, key), None)
        if found is not None:
            found[2].cancel()

    def finish(self) -> None:
        """Carry out pending deletions at once, as at the end of the server."""
        for waiting in tuple(self._waiting):
            self._carry_out(waiting)

    def _carry_out(self, waiting: tuple[str, str]) -> None:
        with self._lock:
            found = self._waiting.pop(waiting, None)
        if found is None:
            return
        found[2].cancel()
        try:
            found[1]()
        except MaekrakError as error:  # it is in the list again
            logger.warning("What a visitor deleted could not be deleted: %s", error)


@st.cache_resource(show_spinner=False)
def deletions() -> Deletions:
    """Return the deletions of this process."""
    return Deletions()
