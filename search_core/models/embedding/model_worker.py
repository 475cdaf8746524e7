"""The process that holds a model.

The shipped model (``e5``) is run by onnxruntime, any other by sentence-transformers. Importing such a model stalls every thread
of its process for seconds, so it lives in a process of its own. The first request loads it.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from search_core.child_process import serve
from search_core.errors import WeightsError
from search_core.language.vectors import Vectors
from search_core.models.embedding.e5.weights_file import MODEL, find_weights
from search_core.models.embedding.embedder import folder_of
from search_core.runtime import Lazy

_NICENESS = 5
"""Lowers the priority of this process: pages come first."""
_BATCH_TEXTS = 16
"""Small enough that padding to the longest text costs little."""
_MOST_THREADS = 4
"""Threads of the shipped model at most; pages need a share of a small machine's cores."""
_NOT_ANSWERED = (WeightsError, RuntimeError, ValueError, TypeError, LookupError, AttributeError)
"""Errors that are answered with their cause: an odd text, or a file that the entailment model lacks, must not cost a reload."""
Answer = Callable[[dict[str, Any]], Vectors]
"""Answers a request: vectors of ``texts``, probabilities of ``pairs``, log odds of ``asked`` pairs, ``windows`` or ``words``."""


class _UnusableError(Exception):
    """Names why no model answers, by a keyword with a sentence for the page."""

    def __init__(self, kind: str, cause: str) -> None:
        super().__init__(cause)
        self.kind = kind


def serve_model(name: str) -> None:
    """Answer requests until the input ends."""
    _serve(lambda: _load(name))


def serve_cross_encoder(name: str) -> None:
    """Answer requests for judgements of pairs by the named model until the input ends."""
    _serve(lambda: _load_cross_encoder(name))


def _serve(load: Callable[[], Answer]) -> None:
    os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # libraries print their progress there
    model = Lazy(load)
    serve(lambda request, _: _encode(model()(request)), memory_bytes=None, tell=_describe_error)


def _encode(vectors: Vectors) -> dict[str, Any]:
    rows = np.ascontiguousarray(vectors, dtype="<f4")
    return {"shape": rows.shape, "numbers": b64encode(rows.tobytes()).decode("ascii")}


def _describe_error(error: Exception) -> dict[str, Any]:
    if isinstance(error, _UnusableError):
        return {"failed": error.kind, "cause": str(error)}
    if isinstance(error, _NOT_ANSWERED):
        return {"cause": f"{type(error).__name__}: {error}"}
    raise error


def _load(name: str) -> Answer:
    """Return the function that answers requests; raises _UnusableError if there is none."""
    weights = find_weights() if name == MODEL else None
    if weights is not None:
        return _load_shipped(weights)
    model = _load_by_library(name, "SentenceTransformer")

    def encode(request: dict[str, Any]) -> Vectors:
        vectors: Vectors = model.encode(
            request["texts"], batch_size=_BATCH_TEXTS, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return vectors

    return encode


def _load_by_library(name: str, kind: str) -> Any:
    """Return the sentence-transformers model of that *kind*; raises _UnusableError."""
    if importlib.util.find_spec("sentence_transformers") is None:  # before anyone fetches a model that nothing here could load
        raise _UnusableError("not_installed", "sentence-transformers is not installed; run `make models`")
    if folder_of(name) is None:
        raise _UnusableError("absent", f"{name} is not on this machine")
    try:
        library = importlib.import_module("sentence_transformers")
    except ImportError as error:
        raise _UnusableError("library", f"sentence-transformers cannot be imported: {error}") from error
    try:
        return getattr(library, kind)(name, device="cpu", local_files_only=True)
    except Exception as error:
        raise _UnusableError("load", f"{name} cannot be loaded: {type(error).__name__}: {error}") from error


_CLASSES = {
    "bears_out": re.compile(r"^entail"),
    "silent": re.compile(r"neutral|^not_?entail"),
    "denies": re.compile(r"^contra"),
}
"""What such models call them, in lower case."""


def _class_order(labels: Mapping[str | int, object]) -> tuple[int, int | None, int | None]:
    """Return which classes of ``id2label`` support a statement, ignore it and deny it; the last two may be missing.

    Raises ValueError if no class supports, or no other class exists.
    """
    named = {str(label).strip().lower().replace(" ", "_").replace("-", "_"): int(place) for place, label in labels.items()}
    places = {what: next((named[name] for name in named if form.search(name)), None) for what, form in _CLASSES.items()}
    bears_out = places["bears_out"]
    if bears_out is None or (places["silent"] is None and places["denies"] is None):
        raise ValueError(f"has the classes {', '.join(sorted(named)) or 'none'}, and no entailment with its opposite among them")
    return bears_out, places["silent"], places["denies"]


def _load_cross_encoder(name: str) -> Answer:
    model = _load_by_library(name, "CrossEncoder")
    try:
        order = _class_order(model.config.id2label)
    except ValueError as error:
        raise _UnusableError("load", f"{name} {error}") from error

    def judge(request: dict[str, Any]) -> Vectors:
        pairs = [tuple(pair) for pair in request.get("pairs", ())]
        probabilities = (
            model.predict(pairs, batch_size=_BATCH_TEXTS, apply_softmax=True, show_progress_bar=False) if pairs else None
        )
        columns = [
            probabilities[:, place] if probabilities is not None and place is not None else np.zeros(len(pairs))
            for place in order
        ]
        return np.stack(columns, axis=1).astype(np.float32)

    return judge


def _load_shipped(weights: Path) -> Answer:
    try:
        from search_core.models.embedding.e5.model import E5Model, E5SentenceEnds
    except ImportError as error:
        raise _UnusableError("library", f"the shipped model cannot be run: {error}") from error
    try:
        model = E5Model(weights, min(_MOST_THREADS, os.cpu_count() or 1))
    except WeightsError as error:
        raise _UnusableError("weights", str(error)) from error

    model.get_ready()
    ends = Lazy(lambda: E5SentenceEnds(model))

    def answer(request: dict[str, Any]) -> Vectors:
        if "windows" in request:
            return ends().odds(request["windows"])
        if "words" in request:
            return model.find_unsaid(request["words"])
        if "asked" in request:
            return model.answer(request["asked"])
        return model.judge(request["pairs"]) if "pairs" in request else model.embed(request["texts"])

    return answer
