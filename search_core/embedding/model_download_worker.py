"""The process that asks a hub for a model: ``python -m search_core.embedding.model_download_worker look|fetch MODEL``.

It tells what it does on its standard output (``model_process``), and ends when its input ends, as it does when its parent dies.
Whatever was fetched by then is used the next time.
"""

from __future__ import annotations

import os
import sys
import threading

from search_core.embedding.model_process import send

FETCH = "fetch"


def main(arguments: list[str]) -> None:
    """Look the model up, fetch it if that is asked for, and tell how that went."""
    what, name = arguments
    told = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not land among what is told
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from search_core.embedding import model_hub

    try:
        model = model_hub.HubModel(name)
        send(told, {"total": model.total_bytes, "here": model.fetched_bytes, "free": model_hub.free_disk_bytes()})
        if what == FETCH:
            model.fetch(lambda here: send(told, {"here": here}))
            send(told, {"fetched": True})
        else:
            model.hold_room()
            send(told, {"looked": True})
    except model_hub.HubError as error:
        send(told, {"failed": error.kind, "cause": str(error)})


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
