"""The process that holds a model: ``python -m search_core.embedding.model_worker MODEL [WHAT THE ENTAILMENT MODEL ADDS]``.

The shipped model (``e5``) is run by onnxruntime, any other by sentence-transformers. Importing such a model stalls every thread
of its process for seconds, so it lives in a process of its own. It reads requests from its standard input and answers on its
standard output (``model_process``). It ends when its input ends, which is what happens when its parent dies.
"""

from __future__ import annotations

import importlib.util
import os
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from search_core.embedding.e5.weights_file import ENTAILMENT, MODEL, find_weights
from search_core.embedding.embedder import Vectors
from search_core.embedding.model_process import receive, send
from search_core.errors import WeightsError

_NICENESS = 5
"""The page comes first."""
_BATCH_TEXTS = 16
"""Small enough that padding to the longest text costs little."""
_MOST_THREADS = 4
"""Of the shipped model; the page wants its share of a small machine's cores."""
_NOT_ANSWERED = (WeightsError, RuntimeError, ValueError, TypeError, LookupError, AttributeError)
"""An odd text must not cost a reload, nor must what the entailment model lacks."""
Answer = Callable[[dict[str, Any]], Vectors]
"""Answers a request: vectors of its ``texts``, or probabilities of its ``pairs``."""


def main(arguments: list[str]) -> None:
    """Load the model, then answer requests until the input ends."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not land among the answers
    requests = _requests(sys.stdin.buffer)
    answer = _load(arguments[0], answers, *map(Path, arguments[1:2]))
    if answer is None:
        return
    send(answers, {"ready": True})
    while True:
        request = requests.get()
        try:
            vectors = answer(request)
        except _NOT_ANSWERED as error:
            send(answers, {"id": request["id"], "cause": f"{type(error).__name__}: {error}"})
        else:
            send(answers, {"id": request["id"]}, vectors)


def _requests(pipe: BinaryIO) -> queue.SimpleQueue[dict[str, Any]]:
    """Return a queue fed by a thread, which ends the process at once when the parent is gone, even amid a load."""
    waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()

    def read() -> None:
        while True:
            try:
                waiting.put(receive(pipe)[0])
            except (EOFError, OSError):
                os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return waiting


def _load(name: str, answers: BinaryIO, learnt: Path = ENTAILMENT) -> Answer | None:
    """Return what answers requests, or None after telling the parent why nothing does."""
    weights = find_weights() if name == MODEL else None
    if weights is not None:
        return load_shipped(weights, answers, learnt)
    if importlib.util.find_spec("sentence_transformers") is None:  # before anyone fetches a model that nothing here could load
        cause = "sentence-transformers is not installed; run `make models`"
        send(answers, {"failed": "not_installed", "cause": cause})
        return None
    if not _is_here(name):
        send(answers, {"failed": "absent", "cause": f"{name} is not on this machine"})
        return None
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        send(answers, {"failed": "library", "cause": f"sentence-transformers cannot be imported: {error}"})
        return None
    try:
        model = SentenceTransformer(name, device="cpu", local_files_only=True)
    except Exception as error:  # noqa: BLE001 - loading code may raise anything; the parent gets the reason and shows it
        send(answers, {"failed": "load", "cause": f"{name} cannot be loaded: {type(error).__name__}: {error}"})
        sys.exit(1)

    def encode(request: dict[str, Any]) -> Vectors:
        vectors: Vectors = model.encode(
            request["texts"], batch_size=_BATCH_TEXTS, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return vectors

    return encode


def load_shipped(weights: Path, answers: BinaryIO, learnt: Path = ENTAILMENT) -> Answer | None:
    """Return what answers requests by the shipped model; None after telling why nothing does."""
    try:
        from search_core.embedding.e5.model import E5Model
    except ImportError as error:
        send(answers, {"failed": "library", "cause": f"the shipped model cannot be run: {error}"})
        return None
    try:
        model = E5Model(weights, min(_MOST_THREADS, os.cpu_count() or 1), learnt)
    except WeightsError as error:
        send(answers, {"failed": "weights", "cause": str(error)})
        return None

    def answer(request: dict[str, Any]) -> Vectors:
        return model.judge(request["pairs"]) if "pairs" in request else model.embed(request["texts"])

    return answer


def _is_here(name: str) -> bool:
    """Return whether the model is a folder or in the local Hugging Face cache; saves seconds of imports when it is not."""
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
