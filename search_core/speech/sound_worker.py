"""The process that decodes one file.

The first request opens the file; each further one decodes up to the next piece and writes it. A file's content decides its kind,
never its name, and libavformat gets an open file and a list of formats without those that name other files or addresses
(playlists, HLS, DASH). Only audio codecs are opened (PyAV 18.1, FFmpeg 8.1). Times are those of the video.
"""

from __future__ import annotations

import wave
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import av
import av.error
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.stream import Discard
from numpy.typing import NDArray

from search_core.child_process import answer_in_steps, serve
from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.speech.sound import RATE, refuse

MEMORY_BYTES = 3 << 30
"""Limit of the process's address space; decoding ten minutes takes a tenth of it."""
_BUFFER_BYTES = 1 << 18
_MICROSECONDS = 1_000_000
_CODECS = (
    *("aac", "aac_fixed", "mp3", "mp3float", "mp2", "mp2float", "opus", "libopus", "vorbis", "flac", "alac", "ac3", "eac3"),
    *("pcm_u8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be"),
    *("pcm_f64le", "pcm_f64be", "pcm_alaw", "pcm_mulaw", "adpcm_ms", "adpcm_ima_wav", "amrnb", "amrwb"),
)
_OPTIONS = {
    "format_whitelist": "mov,matroska,mp3,aac,wav,ogg,flac",
    "codec_whitelist": ",".join(_CODECS),
    "protocol_whitelist": "",
    "max_streams": "100",
    "probesize": "5000000",
    "analyzeduration": "10000000",
}
_TOLERANCE_S = 0.1
"""Gaps between time stamps below this are ignored, as stamps jitter."""
Samples = NDArray[np.int16]
_STEP = RATE // 50
"""Number of samples over which loudness is measured: a fiftieth of a second."""
_QUIET_STEPS = 20
"""Steps of a pause to cut in (.4 s): longer than the pause before a plosive within a word. The quietest is cut in its middle."""
_SEARCH_S = 60.0
"""Seconds at the end of a piece in which the cut is searched; of a short piece the second half."""


class Decoder:
    """Yields the sound of a file in order; ``damaged`` tells afterwards whether a part could not be decoded."""

    def __init__(self, file: BinaryIO, *, max_s: float) -> None:
        """Open *file*; raises TranscriptionError, TOO_LONG if it declares more than *max_s* seconds."""
        try:
            self._container = av.open(file, "r", container_options=_OPTIONS, metadata_errors="replace", buffer_size=_BUFFER_BYTES)
        except (av.error.FFmpegError, ValueError, OSError) as error:
            raise refuse(Kind.NOT_MEDIA, f"The container cannot be opened: {type(error).__name__}.") from error
        track = self._container.streams.best("audio")
        if track is None:
            raise refuse(Kind.NO_SOUND, "The file has no sound track.")
        if track.codec_context is None or track.codec_context.name not in _CODECS:
            raise refuse(Kind.NOT_MEDIA, "The sound is of a kind that is not read.")
        for other in self._container.streams:
            if other is not track:
                other.discard = Discard.all
        self._track = track
        self._max_s = max_s
        self._starts_s = (self._container.start_time or 0) / _MICROSECONDS  # players count from it
        self._end_s = 0.0
        declared = self._container.duration
        self.declared_s = None if declared is None else declared / _MICROSECONDS
        """Length that the file declares, in seconds, true or not; None if it declares none."""
        self.damaged = False
        self._hold_to(self.declared_s or 0.0)

    def blocks(self) -> Iterator[Samples]:
        """Yield the sound from the start of the video at 16,000 samples a second; raises TranscriptionError for hostile files."""
        resampler: AudioResampler | None = None
        form: tuple[str, str, int] | None = None
        for frame in self._frames():
            if form != (form := (frame.format.name, frame.layout.name, frame.sample_rate)):
                yield from self._resample(resampler, None)
                resampler = AudioResampler(format="s16", layout="mono", rate=RATE)
            yield from self._silence_before(frame)
            frame.pts = None
            yield from self._resample(resampler, frame)
        yield from self._resample(resampler, None)

    def _hold_to(self, seconds: float) -> None:
        if seconds > self._max_s:
            raise refuse(Kind.TOO_LONG, f"The sound is longer than {self._max_s:g} s.")

    def _frames(self) -> Iterator[AudioFrame]:
        packets = self._container.demux(self._track)
        while True:
            try:
                packet = next(packets, None)
            except av.error.FFmpegError:
                self.damaged, packet = True, None
            if packet is None:
                return
            try:
                for frame in packet.decode():
                    assert isinstance(frame, AudioFrame)
                    yield frame
            except av.error.FFmpegError:
                self.damaged = True

    def _resample(self, resampler: AudioResampler | None, frame: AudioFrame | None) -> Iterator[Samples]:
        """Yield *frame* resampled; for None, the samples still in the *resampler*."""
        for each in resampler.resample(frame) if resampler is not None else ():
            samples = np.asarray(each.to_ndarray(), np.int16).reshape(-1)
            self._end_s += len(samples) / RATE
            self._hold_to(self._end_s)
            yield samples

    def _silence_before(self, frame: AudioFrame) -> Iterator[Samples]:
        """Yield silence from the end of the sound so far to the time stamp of *frame*; nothing if that is earlier."""
        if frame.pts is None or frame.time_base is None:
            return
        begins_s = float(frame.pts * frame.time_base) - self._starts_s
        gap_s = begins_s - self._end_s
        if gap_s > _TOLERANCE_S:
            self._hold_to(begins_s)
            self._end_s = begins_s
            while gap_s > 0:  # a second at a time: it may be hours
                yield np.zeros(round(min(gap_s, 1.0) * RATE), np.int16)
                gap_s -= 1.0


def read_sound(request: dict[str, Any]) -> Generator[dict[str, Any]]:
    """Yield the declared length of the file in *request*, then each piece once it is written, then whether the file is damaged.

    Raises TranscriptionError.
    """
    with Path(request["path"]).open("rb") as file:
        decoder = Decoder(file, max_s=request["max_s"])
        yield {"declared_s": decoder.declared_s}
        for number, (start_s, samples) in enumerate(cut_pieces(decoder.blocks(), request["piece_s"])):
            to = f"{request['folder']}/{number:06d}.wav"
            with wave.open(to, "wb") as piece:
                piece.setnchannels(1)
                piece.setsampwidth(2)
                piece.setframerate(RATE)
                piece.writeframes(samples.astype("<i2").tobytes())
            yield {"piece": [start_s, start_s + len(samples) / RATE, to]}
        yield {"piece": None, "damaged": decoder.damaged}


def cut_pieces(blocks: Iterable[Samples], piece_s: float) -> Iterator[tuple[float, Samples]]:
    """Yield the sound of *blocks* in pieces of at most *piece_s* seconds, each with its start in seconds."""
    held: list[Samples] = []
    count, start = 0, 0
    for block in blocks:
        held.append(block)
        count += len(block)
        while count >= piece_s * RATE:
            whole = np.concatenate(held)
            at = _quietest(whole[: round(piece_s * RATE)])
            yield start / RATE, whole[:at]
            held, count, start = [whole[at:].copy()], count - at, start + at
    if count:
        yield start / RATE, np.concatenate(held)


def _quietest(samples: Samples) -> int:
    """Return the index of the quietest place in the part of *samples* that may be cut; the last one of equals."""
    first = max(len(samples) // 2, len(samples) - round(_SEARCH_S * RATE))
    steps = samples[first : first + (len(samples) - first) // _STEP * _STEP].reshape(-1, _STEP).astype(np.float32)
    around = np.convolve(np.square(steps).mean(axis=1), np.ones(_QUIET_STEPS), mode="valid")
    return first + (int(np.flatnonzero(around == around.min())[-1]) + _QUIET_STEPS // 2) * _STEP


def _tell(error: Exception) -> dict[str, object]:
    """Return *error* as data for the parent process; an unexpected one is raised and ends this process."""
    if isinstance(error, MemoryError):
        error = refuse(Kind.HOSTILE, f"The file needs more than {MEMORY_BYTES >> 30} GiB of memory.")
    if isinstance(error, av.error.FFmpegError | OSError):
        error = refuse(Kind.NOT_MEDIA, f"The sound cannot be decoded: {type(error).__name__}.")
    if not isinstance(error, TranscriptionError):
        raise error
    return {"failed": str(error), "kind": error.kind.value}


def serve_sound() -> None:
    """Decode one file in this process until the input ends."""
    serve(answer_in_steps(read_sound), memory_bytes=MEMORY_BYTES, tell=_tell)
