"""The process that holds a local model of speech, which is loaded with the first request and never downloaded here."""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from search_core.child_process import serve
from search_core.runtime import Lazy

logger = logging.getLogger(__name__)

_IDLE_S = 600.0
"""A model keeps gigabytes; who has not been asked for so long gives them back."""
_NICENESS = 5
"""The page comes first."""


class _AbsentError(Exception):
    """Says that the model is not on this machine, or not one that can be loaded."""


def serve_whisper(factory: str, name: str, device: str) -> None:
    """Answer requests until the input ends or no request has come for long.

    *factory* names what makes the model, ``faster_whisper:WhisperModel`` (1.2.1) or a stand-in with its interface.
    """
    os.environ.update(HF_HUB_OFFLINE="1")
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    model = Lazy(lambda: _load(factory, name, device))
    serve(lambda request, _: _answer(model, request), memory_bytes=None, idle_s=_IDLE_S, tell=_tell)


def _load(factory: str, name: str, device: str) -> Any:
    module, _, attribute = factory.partition(":")
    make = getattr(importlib.import_module(module), attribute)
    try:
        return make(name, device=device, compute_type="default", local_files_only=True)
    except (OSError, ValueError, RuntimeError) as error:  # of the hub, of names, of CTranslate2
        raise _AbsentError(f"{type(error).__name__}: {error}") from error


def _answer(model: Callable[[], Any], request: dict[str, Any]) -> dict[str, Any]:
    samples = np.fromfile(request["sound"], dtype="<i2").astype(np.float32) / 32768.0
    segments, info = model().transcribe(
        samples,
        language=request["language"] or None,
        beam_size=5,
        vad_filter=True,
        condition_on_previous_text=False,  # what was said before is what loops feed on
    )
    return {
        "segments": [[float(each.start), float(each.end), str(each.text), float(each.avg_logprob)] for each in segments],
        "language": str(info.language or ""),
    }


def _tell(error: Exception) -> dict[str, Any]:
    logger.error("A piece of sound could not be recognised", exc_info=error)
    return {"failed": f"{type(error).__name__}: {error}", "absent": isinstance(error, _AbsentError)}
