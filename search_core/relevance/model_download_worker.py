"""The process that asks a hub for a model: ``python -m search_core.relevance.model_download_worker look|fetch MODEL``.

It tells what it does on its standard output (``frames``), and ends when its input ends, as it does when its parent dies.
Whatever was fetched by then is used the next time.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import BinaryIO

from search_core.relevance import frames

_TELL_EVERY_S = 0.2
FETCH = "fetch"


def main(arguments: list[str]) -> None:
    """Look the model up, fetch it if that is asked for, and tell how that went."""
    what, name = arguments
    told = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not land among what is told
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from search_core.relevance import model_hub  # takes half a second, in which the parent may have died

    try:
        model = model_hub.HubModel(name)
        frames.send(told, {"total": model.total_bytes, "here": model.fetched_bytes, "free": model_hub.free_disk_bytes()})
        if what == FETCH:
            progress = _Progress(told)
            try:
                model.fetch(progress.tell)
            finally:
                progress.stop()
            frames.send(told, {"fetched": True})
        else:
            model.hold_room()
            frames.send(told, {"looked": True})
    except model_hub.HubError as error:
        frames.send(told, {"failed": error.kind, "cause": str(error)})


class _Progress:
    """Tells how many bytes there are, a few times a second, also when no more come."""

    def __init__(self, told: BinaryIO) -> None:
        self._told = told
        self._here = -1
        self._changed = threading.Event()
        self._lock = threading.Lock()
        threading.Thread(target=self._run, daemon=True).start()

    def tell(self, here: int) -> None:
        """Tell *here* bytes, soon."""
        self._here = here
        self._changed.set()

    def stop(self) -> None:
        """Tell nothing more."""
        self._lock.acquire()  # for good: the process ends

    def _run(self) -> None:
        while self._changed.wait():
            self._changed.clear()
            with self._lock:
                frames.send(self._told, {"here": self._here})
            time.sleep(_TELL_EVERY_S)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
