"""Which of the alerts that are shown once have been seen."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable
from pathlib import Path

logger = logging.getLogger(__name__)


class AcknowledgedAlerts:
    """Remembers in a file which alerts were seen; safe to use from many threads.

    A file that cannot be read says that none was, one that cannot be written leaves it to the memory of the process.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._causes: set[str] | None = None

    def causes(self) -> frozenset[str]:
        """Return the causes of the alerts that were seen."""
        with self._lock:
            return frozenset(self._read())

    def add(self, causes: Iterable[str]) -> None:
        """Note that alerts of these *causes* were seen."""
        with self._lock:
            known = self._read()
            new = set(causes) - known
            if not new:
                return
            known |= new
            try:
                self._path.write_text(json.dumps(sorted(known), ensure_ascii=False), encoding="utf-8")
            except OSError as error:
                logger.warning("Which alerts were seen cannot be kept: %s", type(error).__name__)

    def _read(self) -> set[str]:
        if self._causes is None:
            try:
                stored = json.loads(self._path.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                stored = []
            self._causes = {cause for cause in stored if isinstance(cause, str)} if isinstance(stored, list) else set()
        return self._causes
