"""The process that holds a sentence-transformers model: ``python -m search_core.relevance.model_worker MODEL [--download]``.

Importing such a model stalls every thread of its process for seconds, so it lives in a process of its own. It reads requests from
its standard input and answers on its standard output (``frames``). It ends when its input ends, which is what happens when its
parent dies.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

from search_core.relevance import frames

_NICENESS = 5
"""The page comes first."""
_BATCH_TEXTS = 16
"""Small enough that padding to the longest text costs little."""


def main(arguments: list[str]) -> None:
    """Load the model, then answer requests until the input ends."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not land among the answers
    requests = _requests(sys.stdin.buffer)
    model = _load(arguments[0], "--download" in arguments[1:], answers)
    if model is None:
        return
    frames.send(answers, {"ready": True})
    while True:
        request = requests.get()
        try:
            vectors = model.encode(
                request["texts"],
                batch_size=_BATCH_TEXTS,
                normalize_embeddings=True,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        except (RuntimeError, ValueError, TypeError, LookupError, AttributeError) as error:  # an odd text must not cost a reload
            frames.send(answers, {"id": request["id"], "cause": f"{type(error).__name__}: {error}"})
        else:
            frames.send(answers, {"id": request["id"]}, vectors)


def _requests(pipe: BinaryIO) -> queue.SimpleQueue[dict[str, Any]]:
    """Return a queue fed by a thread, which ends the process at once when the parent is gone, even amid a load."""
    waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()

    def read() -> None:
        while True:
            try:
                waiting.put(frames.receive(pipe)[0])
            except (EOFError, OSError):
                os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return waiting


def _load(name: str, download: bool, answers: BinaryIO) -> Any:
    """Return the model, or None after telling the parent why there is none."""
    if not download and not _is_here(name):
        frames.send(answers, {"failed": "absent", "cause": f"{name} is not on this machine and downloads are off"})
        return None
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        frames.send(answers, {"failed": "library", "cause": f"sentence-transformers cannot be imported: {error}"})
        return None
    try:
        return SentenceTransformer(name, device="cpu", local_files_only=not download)
    except Exception as error:  # noqa: BLE001 - loading code may raise anything; the parent gets the reason and shows it
        frames.send(answers, {"failed": "load", "cause": f"{name} cannot be loaded: {type(error).__name__}: {error}"})
        sys.exit(1)


def _is_here(name: str) -> bool:
    """Tell whether the model is a folder or in the local Hugging Face cache; saves seconds of imports when it is not."""
    if Path(name).is_dir():
        return True
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError:
        return True  # the library itself will say what is missing
    try:
        return isinstance(try_to_load_from_cache(name, "config.json"), str)
    except ValueError:
        return False  # not even the form of a model name


if __name__ == "__main__":
    main(sys.argv[1:])
