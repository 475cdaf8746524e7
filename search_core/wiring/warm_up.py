"""Getting slow things ready in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable


class WarmUp:
    """Gets slow things ready in the background: the analyser, the sample documents, the model."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self._steps = steps
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._started = False

    def start(self) -> None:
        """Start once and return at once."""
        with self._lock:
            if self._started:
                return
            self._started = True
        threading.Thread(target=self._run, name="maekrak-warm-up", daemon=True).start()

    def _run(self) -> None:
        try:
            for step in self._steps:
                step()
        finally:
            self._done.set()

    def wait(self) -> None:
        """Start if need be, and wait until all is ready."""
        self.start()
        self._done.wait()
