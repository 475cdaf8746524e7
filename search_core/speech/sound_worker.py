"""The process that decodes one file.

The first request opens the file; each further one decodes up to the next piece and writes it. A file's content decides its kind,
never its name, and libavformat gets an open file and a list of formats without those that name other files or addresses
(playlists, HLS, DASH). Only audio codecs are opened (PyAV 18.1, FFmpeg 8.1). Times are those of the video.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import av
import av.error
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Discard

from search_core.child_process import serve
from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.speech.cutting import RATE, Samples, cut_pieces
from search_core.speech.source import refuse

MEMORY_BYTES = 3 << 30
"""Address space; decoding ten minutes takes a tenth of it."""
_FRAME = RATE // 10
_BIT_RATE = 32_000
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
"""Time stamps that are off by less are not followed: they jitter."""


def open_container(file: BinaryIO) -> InputContainer:
    """Return the media container in *file*; raises TranscriptionError."""
    try:
        return av.open(file, "r", container_options=_OPTIONS, metadata_errors="replace", buffer_size=_BUFFER_BYTES)
    except (av.error.FFmpegError, ValueError, OSError) as error:
        raise refuse(Kind.NOT_MEDIA, f"The container cannot be opened: {type(error).__name__}.") from error


def choose_track(container: InputContainer) -> AudioStream:
    """Return the audio track to transcribe, and discard the others; raises TranscriptionError."""
    track = container.streams.best("audio")
    if track is None:
        raise refuse(Kind.NO_SOUND, "The file has no sound track.")
    assert isinstance(track, AudioStream)
    if track.codec_context is None or track.codec_context.name not in _CODECS:
        raise refuse(Kind.NOT_MEDIA, "The sound is of a kind that is not read.")
    for other in container.streams:
        if other is not track:
            other.discard = Discard.all
    return track


class Decoder:
    """Yields the sound of a file in order; ``damaged`` tells afterwards whether a part could not be decoded."""

    def __init__(self, file: BinaryIO, *, max_s: float) -> None:
        """Open *file*; raises TranscriptionError, TOO_LONG if it declares more than *max_s* seconds."""
        self._container = open_container(file)
        self._track = choose_track(self._container)
        self._max_s = max_s
        self._starts_s = (self._container.start_time or 0) / _MICROSECONDS  # players count from it
        self._resampler: AudioResampler | None = None
        self._form: tuple[str, str, int] | None = None
        self._end_s = 0.0
        declared = self._container.duration
        self.declared_s = None if declared is None else declared / _MICROSECONDS
        """How long the file says it is, in seconds, which need not be true."""
        self.damaged = False
        self._hold_to(self.declared_s or 0.0)

    def blocks(self) -> Iterator[Samples]:
        """Yield the sound from the start of the video at 16,000 samples a second; raises TranscriptionError for hostile files."""
        for frame in self._frames():
            stamp_s = self._stamp_s(frame)
            for samples in self._resample(frame):
                yield from self._place(stamp_s, samples)
                stamp_s = None  # the others of a frame follow the first
        for samples in self._flush():
            yield from self._place(None, samples)

    def _hold_to(self, seconds: float) -> None:
        if seconds > self._max_s:
            raise refuse(Kind.TOO_LONG, f"The sound is longer than {self._max_s:g} s.")

    def _frames(self) -> Iterator[AudioFrame]:
        packets = self._container.demux(self._track)
        while True:
            try:
                packet = next(packets, None)
            except av.error.FFmpegError:
                self.damaged = True
                return
            if packet is None:
                return
            try:
                frames = packet.decode()
            except av.error.FFmpegError:
                self.damaged = True
                continue
            for frame in frames:
                assert isinstance(frame, AudioFrame)
                yield frame

    def _stamp_s(self, frame: AudioFrame) -> float | None:
        if frame.pts is None or frame.time_base is None:
            return None
        return float(frame.pts * frame.time_base) - self._starts_s

    def _resample(self, frame: AudioFrame) -> Iterator[Samples]:
        form = (frame.format.name, frame.layout.name, frame.sample_rate)
        if form != self._form:
            yield from self._flush()
            self._resampler, self._form = AudioResampler(format="s16", layout="mono", rate=RATE), form
        frame.pts = None
        assert self._resampler is not None
        yield from map(_samples, self._resampler.resample(frame))

    def _flush(self) -> Iterator[Samples]:
        if self._resampler is not None:
            yield from map(_samples, self._resampler.resample(None))

    def _place(self, stamp_s: float | None, samples: Samples) -> Iterator[Samples]:
        """Yield *samples* at the time *stamp_s*, with silence in gaps; stamps that go back are ignored."""
        drift_s = 0.0 if stamp_s is None else stamp_s - self._end_s
        gap_s = drift_s if drift_s > _TOLERANCE_S else 0.0
        self._end_s += gap_s + len(samples) / RATE
        self._hold_to(self._end_s)
        while gap_s > 0:  # a second at a time: it may be hours
            yield np.zeros(round(min(gap_s, 1.0) * RATE), np.int16)
            gap_s -= 1.0
        yield samples


def _samples(frame: AudioFrame) -> Samples:
    return np.asarray(frame.to_ndarray(), np.int16).reshape(-1)


class SoundWorker:
    """Answers the requests about one file."""

    def __init__(self) -> None:
        self._pieces: Iterator[tuple[float, Samples]] = iter(())
        self._decoder: Decoder | None = None
        self._file: BinaryIO | None = None

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def answer(self, request: dict[str, Any], _: bytes) -> dict[str, Any]:
        """Return the answer to *request*; raises TranscriptionError."""
        if "path" in request:
            return self._open(Path(request["path"]), request["piece_s"], request["max_s"])
        assert self._decoder is not None
        piece = next(self._pieces, None)
        if piece is None:
            return {"piece": None, "damaged": self._decoder.damaged}
        start_s, samples = piece
        _write(samples, request["to"])
        return {"piece": [start_s, start_s + len(samples) / RATE]}

    def _open(self, path: Path, piece_s: float, max_s: float) -> dict[str, object]:
        self._file = path.open("rb")
        self._decoder = Decoder(self._file, max_s=max_s)
        self._pieces = cut_pieces(self._decoder.blocks(), piece_s)
        return {"declared_s": self._decoder.declared_s}


def _tell(error: Exception) -> dict[str, object]:
    """Return an error as data for the other process; one that is no TranscriptionError ends this process."""
    if isinstance(error, MemoryError):
        error = refuse(Kind.HOSTILE, f"The file needs more than {MEMORY_BYTES >> 30} GiB of memory.")
    if isinstance(error, av.error.FFmpegError | OSError):
        error = refuse(Kind.NOT_MEDIA, f"The sound cannot be decoded: {type(error).__name__}.")
    if not isinstance(error, TranscriptionError):
        raise error
    return {"failed": str(error), "kind": error.kind.value, "korean": error.korean}


def _write(samples: Samples, to: str) -> None:
    """Write *samples* as MP3, which every endpoint takes, or uncompressed."""
    if not to.endswith(".mp3"):
        samples.astype("<i2").tofile(to)
        return
    with av.open(to, "w", format="mp3") as container:
        stream = container.add_stream("libmp3lame", rate=RATE, layout="mono")
        assert isinstance(stream, AudioStream)
        stream.bit_rate = _BIT_RATE
        for at in range(0, len(samples), _FRAME):
            frame = AudioFrame.from_ndarray(samples[at : at + _FRAME].reshape(1, -1), format="s16", layout="mono")
            frame.sample_rate, frame.pts = RATE, at
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def serve_sound() -> None:
    """Decode one file in this process until the input ends."""
    serve(SoundWorker().answer, memory_bytes=MEMORY_BYTES, tell=_tell)
