"""Recognises speech on this machine, by faster-whisper 1.2.1 in a killable process."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import logging
import math
import os
import wave
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from search_core.child_process import ChildError, ChildPool, answer_in_steps, python_call, serve
from search_core.domain.transcription import Recogniser, RecogniserKind, RecognizedPiece
from search_core.domain.video import TranscriptSegment
from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.language.korean import improbability
from search_core.speech.recogniser import OnProgress
from search_core.speech.sound import RATE

logger = logging.getLogger(__name__)

_IDLE_S = 600.0
"""Idle seconds after which the process ends, because a model holds gigabytes."""
_NICENESS = 5
"""Lowers the priority of the process, so that pages stay quick."""
_OF_TEXT = 0.2
_DOUBTFUL = 2.0
"""Segments with more ``_doubt`` are marked: at least three in five have a fifth of their letters wrong (docs/decisions/0033)."""
_LEAST = 1e-4
MODULE = "faster_whisper.transcribe"
_FILES = ("config.json", "model.bin", "tokenizer.json")
"""Files that a model's folder must have; faster-whisper would download a missing tokenizer."""
_ENGLISH_ONLY = "영어만 알아듣는 모델이에요. 다른 말을 받아 적으려면 여러 언어를 아는 모델을 WHISPER_MODEL에 적어 주세요."
_NO_ANSWER = "음성 인식 프로그램이 멈췄거나 너무 오래 걸렸어요. 더 작은 WHISPER_MODEL을 써 보세요."


class WhisperRecogniser:
    """Asks a model on this machine, one sound at a time; its process starts with the first."""

    piece_s = 1800.0
    """Half an hour, which takes 1.8 GB of memory; an hour takes 3.4 (docs/decisions/0033)."""

    def __init__(self, model: str, *, limit_s: float, module: str = MODULE) -> None:
        """Take the *model* by name or folder, and the seconds *limit_s* to wait for its next words."""
        self._model, self._limit_s, self._package = model, limit_s, module.partition(".")[0]
        self.recogniser = Recogniser(RecogniserKind.LOCAL, Path(model).name)
        is_path = model.startswith((".", "/", "~")) or Path(model).is_dir()  # Systran/faster-whisper-small is a name of the hub
        self._folder = Path(model).expanduser().resolve() if is_path else None
        named = str(self._folder or model)  # absolute, as the process runs in a folder of its own
        self._command = python_call("search_core.speech.whisper:serve_whisper", module, named)
        self._pool = ChildPool(self._command, size=1)
        self._turn = asyncio.Lock()

    def missing(self) -> str:
        """Return a Korean sentence about a missing setting, model or package, or an empty text; loads nothing."""
        if not self._model:
            return "음성을 받아 적을 모델이 설정되지 않았어요."
        if importlib.util.find_spec(self._package) is None:
            return "faster-whisper가 설치되지 않았어요. 서버에서 make whisper를 실행하거나 자막 파일을 올려 주세요."
        absent = [name for name in _FILES if self._folder is not None and not (self._folder / name).is_file()]
        return f"WHISPER_MODEL 폴더({self._model})에 {', '.join(absent)}이(가) 없어요. 모델 폴더를 적어 주세요." if absent else ""

    async def recognise(self, sound: Path, *, on_progress: OnProgress) -> RecognizedPiece:
        """Return the transcript of the WAV file *sound*; cancelling ends the process.

        Raises LanguageModelError, also if the model is not on this machine: nothing is downloaded.
        """
        async with self._turn:
            begun = await self._ask(sound=str(sound))
            segments: list[TranscriptSegment] = []
            while (segment_fields := (await self._ask())["segment"]) is not None:
                start_s, end_s, text, doubt = segment_fields
                doubt += _OF_TEXT * await asyncio.to_thread(improbability, text)
                segments.append(TranscriptSegment(start_s, end_s, text, doubt > _DOUBTFUL))
                on_progress(end_s)
        return RecognizedPiece(
            segments=tuple(segments),
            language=begun["language"],
            speech=tuple((start_s, end_s) for start_s, end_s in begun["speech"]),
            warning=_ENGLISH_ONLY if begun["english_only"] else "",
        )

    def close(self) -> None:
        """End the process."""
        self._pool.close()

    async def _ask(self, **request: str) -> dict[str, Any]:
        try:
            answer = await asyncio.to_thread(self._pool.ask, request, b"", limit_s=self._limit_s)
        except asyncio.CancelledError:
            busy, self._pool = self._pool, ChildPool(self._command, size=1)
            await asyncio.to_thread(busy.close)
            raise
        except ChildError as error:
            raise LanguageModelError(f"faster-whisper: {error}", korean=_NO_ANSWER, kind=Kind.UNAVAILABLE) from error
        if "failed" in answer:
            name = self.recogniser.model
            korean = (
                f"받아 적을 모델 {name}이(가) 이 서버에 없거나 이 소리를 처리하지 못했어요. 서버에서 make whisper "
                f"WHISPER_MODEL={name}을 실행하거나 모델 폴더를 WHISPER_MODEL에 적어 주세요."
            )
            raise LanguageModelError(f"faster-whisper failed: {answer['failed']}", korean=korean, kind=Kind.NO_MODEL)
        return answer


def serve_whisper(module: str, name: str) -> None:
    """Answer requests until the input ends or for a long time none comes.

    *module* names ``faster_whisper.transcribe`` (1.2.1), or a stand-in with its interface.
    """
    os.environ.update(HF_HUB_OFFLINE="1")
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    load = cache(partial(_load, module, name))
    serve(answer_in_steps(lambda request: _hear(request["sound"], *load())), memory_bytes=None, idle_s=_IDLE_S, tell=_tell)


def _load(module: str, name: str) -> tuple[Any, Any]:
    library = importlib.import_module(module)
    # "auto" is int8 on a processor, five times as fast as "default" there
    return library, library.WhisperModel(name, device="auto", compute_type="auto", local_files_only=True)


def _hear(sound: str, library: Any, model: Any) -> Iterator[dict[str, Any]]:
    """Yield the language and the stretches of speech of the WAV file *sound*, then its segments one by one."""
    import numpy as np  # comes with faster-whisper; imported in this process alone

    with wave.open(sound) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768.0
    speech = library.get_speech_timestamps(samples)
    segments, info = model.transcribe(
        samples,
        multilingual=True,
        vad_filter=True,
        condition_on_previous_text=False,  # what was said before is what loops feed on
        word_timestamps=True,
        temperature=(0.0, 0.4),  # tried in turn if half a minute is not understood; the library's six take twice as long
    )
    yield {
        "language": str(info.language or ""),
        "speech": [[each["start"] / RATE, each["end"] / RATE] for each in speech],
        "english_only": not model.model.is_multilingual,
    }
    for each in segments:
        yield {"segment": [float(each.start), float(each.end), " ".join(each.text.split()), _doubt(each)]}
    yield {"segment": None}


def _doubt(segment: Any) -> float:
    """Return the mean negative log probability of the segment's words, plus twice that of the half minute around the segment."""
    logs = [math.log(max(each.probability, _LEAST)) for each in segment.words or ()]
    return -sum(logs) / max(1, len(logs)) - 2 * float(segment.avg_logprob)


def _tell(error: Exception) -> dict[str, Any]:
    logger.error("Speech could not be recognised", exc_info=error)
    return {"failed": f"{type(error).__name__}: {error}"}
