"""Recognises speech on this machine, by faster-whisper 1.2.1 in a process that can be killed."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path

from search_core.child_process import Cancellation, ChildError, ChildFailure, ChildPool, python_call
from search_core.domain import Recogniser, RecogniserKind, RecognizedPiece, RecognizedSegment, SoundForm
from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind

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

    def __init__(self, model: str, *, device: str, limit_s: float, factory: str = FACTORY) -> None:
        """Take the *model* by name or folder; *factory* names what makes it, as ``module:attribute``."""
        self._model, self._limit_s, self._module = model, limit_s, factory.partition(":")[0]
        self.recogniser = Recogniser(RecogniserKind.LOCAL, Path(model).name)
        named = str(Path(model).resolve()) if model and Path(model).is_dir() else model  # the process has a folder of its own
        self._pool = ChildPool(python_call("search_core.speech.whisper_worker:serve_whisper", factory, named, device), size=1)

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
