"""The process that decodes one file: ``python -m search_core.transcription.sound_worker``.

Requests are ``digest``, ``open``, ``next`` (decodes as far as the next piece and writes its samples), ``cut`` and ``encode``; the
last two read samples that were written here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import av
import av.error
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream

from search_core.child_process import serve
from search_core.domain import SoundForm
from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.transcription.cutting import RATE, Loudness, Part, PieceBuilder, Samples, TimeSpan, cut_short
from search_core.transcription.sound_file import Decoder, open_sound
from search_core.transcription.source import refuse

MEMORY_BYTES = 3 << 30
"""Address space; decoding ten minutes takes a tenth of it."""
_DIGEST_BYTES = 1 << 20
_LONG_SILENCE_S = 2.0
_LEAST_HEARD_S = 0.1
_FRAME = RATE // 10
_CODECS = {SoundForm.OGG: ("libopus", "ogg", 28_000), SoundForm.MP3: ("libmp3lame", "mp3", 32_000)}
_OPTIONS = {SoundForm.OGG: {"application": "voip", "compression_level": "5"}}
"""Two thirds of the time of the default, 10; two hours take half a minute of one core."""


class SoundWorker:
    """Answers the requests about one file."""

    def __init__(self) -> None:
        self._pieces: Iterator[tuple[Part, Samples]] = iter(())
        self._decoder: Decoder | None = None
        self._file: BinaryIO | None = None

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def answer(self, request: dict[str, Any], _: bytes) -> dict[str, Any]:
        """Return the answer to *request*; raises TranscriptionError."""
        match request["do"]:
            case "digest":
                return {"digest": _digest(Path(request["path"]))}
            case "open":
                return self._open(Path(request["path"]), request["piece_s"], request["max_s"])
            case "next":
                return self._next(Path(request["to"]))
            case "cut":
                parts = cut_short(
                    _read(request["samples"]),
                    TimeSpan(*request["within"]),
                    request["most_s"],
                    at_pauses_s=request["at_pauses_s"],
                )
                return {"parts": [_told(part) for part in parts]}
            case _:
                samples = _read(request["samples"], TimeSpan(*request["stretch"]))
                encode(samples, SoundForm(request["form"]), Path(request["to"]))
                return {}

    def _open(self, path: Path, piece_s: float, max_s: float) -> dict[str, Any]:
        self._file = path.open("rb")
        sound = open_sound(self._file, max_s=max_s)
        self._decoder = Decoder(sound, max_s=max_s)
        self._pieces = _pieces(self._decoder, PieceBuilder(piece_s))
        return {"declared_s": sound.declared_s}

    def _next(self, to: Path) -> dict[str, Any]:
        assert self._decoder is not None
        piece = next(self._pieces, None)
        if piece is None:
            return {"piece": None, "cut": self._decoder.cut, "damaged": self._decoder.damaged}
        part, samples = piece
        encode(samples, SoundForm.PCM, to)
        loudness = Loudness(samples)
        heard = loudness.trim(TimeSpan(0.0, len(samples) / RATE), 0.0)
        return {
            "piece": _told(part),
            "heard": None if heard is None or heard.length_s < _LEAST_HEARD_S else [heard.start_s, heard.end_s],
            "silences": [[each.start_s, each.end_s] for each in loudness.silences(_LONG_SILENCE_S)],
        }


def _pieces(decoder: Decoder, builder: PieceBuilder) -> Iterator[tuple[Part, Samples]]:
    for block in decoder.blocks():
        yield from builder.add(block.start_s, block.samples, jump=block.jump)
    yield from builder.finish()


def _told(part: Part) -> list[list[float]]:
    return [[part.sound.start_s, part.sound.end_s], [part.counts.start_s, part.counts.end_s]]


def _read(path: str, stretch: TimeSpan | None = None) -> Samples:
    if stretch is None:
        return np.fromfile(path, dtype="<i2")
    first, last = round(stretch.start_s * RATE), round(stretch.end_s * RATE)
    return np.fromfile(path, dtype="<i2", offset=2 * first, count=max(0, last - first))


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_DIGEST_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _tell(error: Exception) -> dict[str, Any]:
    """Return what the other side raises; what is no TranscriptionError ends the process."""
    if isinstance(error, MemoryError):
        error = refuse(Kind.HOSTILE, f"The file needs more than {MEMORY_BYTES >> 30} GiB of memory.")
    if isinstance(error, av.error.FFmpegError):  # some are an OSError as well
        error = refuse(Kind.BROKEN, f"The sound cannot be decoded: {type(error).__name__}.")
    if isinstance(error, OSError):
        error = refuse(Kind.BROKEN, f"The file cannot be read: {type(error).__name__} {error.errno}.")
    if not isinstance(error, TranscriptionError):
        raise error
    return {"failed": str(error), "kind": error.kind.value, "korean": error.korean}


def encode(samples: Samples, form: SoundForm, path: Path) -> None:
    """Write *samples* to *path*."""
    if form is SoundForm.PCM:
        samples.astype("<i2").tofile(path)
        return
    codec, container_format, bit_rate = _CODECS[form]
    with av.open(str(path), "w", format=container_format) as container:
        stream = container.add_stream(codec, rate=RATE, layout="mono", options=_OPTIONS.get(form))
        assert isinstance(stream, AudioStream)
        stream.bit_rate = bit_rate
        for at in range(0, len(samples), _FRAME):
            frame = AudioFrame.from_ndarray(samples[at : at + _FRAME].reshape(1, -1), format="s16", layout="mono")
            frame.sample_rate, frame.pts = RATE, at
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


if __name__ == "__main__":
    serve(SoundWorker().answer, memory_bytes=MEMORY_BYTES, tell=_tell)
