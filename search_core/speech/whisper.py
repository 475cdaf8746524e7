"""Recognises speech on this machine, by faster-whisper 1.2.1 in a process that can be killed."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from search_core.child_process import Cancellation, ChildError, ChildFailure, ChildPool, python_call, serve
from search_core.domain import Recogniser, RecogniserKind, RecognizedPiece, RecognizedSegment, SoundForm
from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.runtime import Lazy

logger = logging.getLogger(__name__)

_IDLE_S = 600.0
"""A model keeps gigabytes; who has not been asked for so long gives them back."""
_NICENESS = 5
"""The page comes first."""
FACTORY = "faster_whisper:WhisperModel"
_FAILURES = {
    ChildFailure.LATE: (Kind.TIMEOUT, "음성 인식이 시간 안에 끝나지 않았어요. 더 작은 WHISPER_MODEL을 써 보세요."),
    ChildFailure.DIED: (Kind.UNAVAILABLE, "음성 인식 프로그램이 멈췄어요. 메모리가 모자라면 더 작은 WHISPER_MODEL을 써 보세요."),
    ChildFailure.NOT_STARTED: (Kind.UNAVAILABLE, "음성 인식 프로그램이 시작되지 않았어요."),
}


class WhisperRecogniser:
    """Asks a model of this machine, one piece at a time; its process begins with the first piece."""

    forms: tuple[SoundForm, ...] = (SoundForm.PCM,)
    piece_s = 120.0
    """Minutes of work on a small machine, which is what a break costs."""
    at_once = 1

    def __init__(self, model: str, *, limit_s: float, factory: str = FACTORY) -> None:
        """Take the *model* by name or folder; *factory* names what makes it, as ``module:attribute``."""
        self._model, self._limit_s, self._module = model, limit_s, factory.partition(":")[0]
        self.recogniser = Recogniser(RecogniserKind.LOCAL, Path(model).name)
        named = str(Path(model).resolve()) if model and Path(model).is_dir() else model  # the process has a folder of its own
        self._pool = ChildPool(python_call("search_core.speech.whisper:serve_whisper", factory, named), size=1)

    def missing(self) -> str:
        """Return a Korean sentence saying what is not set or not installed, or an empty text; loads nothing."""
        if not self._model:
            return "음성을 받아 적을 모델이 설정되지 않았어요."
        if importlib.util.find_spec(self._module) is None:
            return "faster-whisper가 설치되지 않았어요. 서버에서 make whisper를 실행하거나 자막 파일을 올려 주세요."
        return ""

    async def recognise(self, sound: Path, form: SoundForm, *, language: str, moments: bool) -> RecognizedPiece:
        """Return what is said in the bare samples at *sound*, with moments in any case; cancelling ends the process.

        Raises LanguageModelError: NO_MODEL where the model is not here, for nothing is downloaded.
        """
        assert form is SoundForm.PCM
        cancellation = Cancellation()
        request = {"sound": str(sound), "language": language, "moments": moments}
        try:
            answer = await asyncio.to_thread(self._pool.ask, request, b"", limit_s=self._limit_s, cancellation=cancellation)
        except ChildError as error:
            kind, korean = _FAILURES.get(error.kind, _FAILURES[ChildFailure.DIED])
            raise LanguageModelError(f"faster-whisper gave no answer: {error.kind.value}.", korean=korean, kind=kind) from error
        finally:
            cancellation.cancel()  # of a request that is over does nothing
        if "failed" in answer:
            raise self._failure(answer["failed"], absent=answer["absent"])
        segments = tuple(
            RecognizedSegment(start_s, end_s, " ".join(text.split()), avg_logprob)
            for start_s, end_s, text, avg_logprob in answer["segments"]
        )
        return RecognizedPiece(text=" ".join(each.text for each in segments), segments=segments, language=answer["language"])

    def close(self) -> None:
        """End the process."""
        self._pool.close()

    def _failure(self, what: str, *, absent: bool) -> LanguageModelError:
        if absent:
            korean = (
                f"받아 적을 모델 {self.recogniser.model}을(를) 이 서버에서 불러오지 못했어요. 서버에서 make whisper "
                f"WHISPER_MODEL={self.recogniser.model}을 실행하거나 모델 폴더를 WHISPER_MODEL에 적어 주세요."
            )
            return LanguageModelError(f"The model is not here: {what}", korean=korean, kind=Kind.NO_MODEL)
        korean = "음성 인식 프로그램이 이 소리를 처리하지 못했어요."
        return LanguageModelError(f"faster-whisper failed: {what}", korean=korean, kind=Kind.UNAVAILABLE)


class _AbsentError(Exception):
    """Says that the model is not on this machine, or not one that can be loaded."""


def serve_whisper(factory: str, name: str) -> None:
    """Answer requests until the input ends or no request has come for long.

    *factory* names what makes the model, ``faster_whisper:WhisperModel`` (1.2.1) or a stand-in with its interface.
    """
    os.environ.update(HF_HUB_OFFLINE="1")
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    model = Lazy(lambda: _load(factory, name))
    serve(lambda request, _: _answer(model, request), memory_bytes=None, idle_s=_IDLE_S, tell=_tell)


def _load(factory: str, name: str) -> Any:
    module, _, attribute = factory.partition(":")
    make = getattr(importlib.import_module(module), attribute)
    try:
        return make(name, device="auto", compute_type="default", local_files_only=True)
    except (OSError, ValueError, RuntimeError) as error:  # of the hub, of names, of CTranslate2
        raise _AbsentError(f"{type(error).__name__}: {error}") from error


def _answer(model: Callable[[], Any], request: dict[str, Any]) -> dict[str, Any]:
    import numpy as np  # with what faster-whisper brings, in that process alone

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
