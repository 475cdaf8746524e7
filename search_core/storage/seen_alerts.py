"""Which alerts of the kind that is told once have been told."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable
from pathlib import Path

logger = logging.getLogger(__name__)


class ToldAlerts:
    """Remembers in a file what was told; safe to use from many threads.

    A file that cannot be read says that nothing was told, one that cannot be written leaves it to the memory of the process.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._told: set[str] | None = None

    def told(self) -> frozenset[str]:
        """Return the causes that have been told."""
        with self._lock:
            return frozenset(self._seen_keys())

    def add(self, causes: Iterable[str]) -> None:
        """Note that *causes* have been told."""
        with self._lock:
            known = self._seen_keys()
            new = set(causes) - known
            if not new:
                return
            known |= new
            try:
                self._path.write_text(json.dumps(sorted(known), ensure_ascii=False), encoding="utf-8")
            except OSError as error:
                logger.warning("What was told cannot be kept: %s", type(error).__name__)

    def _seen_keys(self) -> set[str]:
        if self._told is None:
            try:
                kept = json.loads(self._path.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                kept = []
            self._told = {cause for cause in kept if isinstance(cause, str)} if isinstance(kept, list) else set()
        return self._told
