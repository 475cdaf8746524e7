"""The process that asks a hub for a model.

Each request has it do the next step and tell of it; ``done`` after the last. Whatever was fetched is used the next time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

from search_core.child_process import serve

FETCH = "fetch"
_ENVIRONMENT = {
    "HF_HUB_DISABLE_XET": "1",  # whose transfers begin anew after an interruption
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
}


def serve_download(what: str, name: str) -> None:
    """Look the model up, and fetch it where *what* is FETCH; answers requests until the input ends."""
    os.environ.update(_ENVIRONMENT)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # the library warns there of what is told anyway
    steps = _steps(what, name)
    serve(lambda *_: next(steps), memory_bytes=None)


def _steps(what: str, name: str) -> Iterator[dict[str, Any]]:
    """Look the model up, fetch it if that is asked for, and yield how that goes."""
    from search_core.embedding import model_hub

    try:
        model = model_hub.HubModel(name)
        yield {"total": model.total_bytes, "here": model.fetched_bytes, "free": model_hub.free_disk_bytes()}
        if what == FETCH:
            for here in model.fetch():
                yield {"here": here}
        else:
            model.hold_room()
        yield {"done": True}
    except model_hub.HubError as error:
        yield {"failed": error.kind, "cause": str(error)}
