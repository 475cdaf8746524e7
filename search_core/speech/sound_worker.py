"""The process that decodes one file.

Requests are ``open``, ``next`` (decodes as far as the next piece and writes its samples) and ``encode``, which reads samples that
were written here. Of what strangers call a video or a recording the first bytes decide the kind, never the ending, and
libavformat gets an open file and that one kind: formats that name other files or addresses (playlists, HLS, DASH) are out of its
reach. Only codecs of sound are opened (PyAV 18.1, FFmpeg 8.1). Samples come on the clock of the video.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
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
from search_core.speech.cutting import RATE, Loudness, PieceBuilder, Samples
from search_core.speech.source import refuse, too_long

MEMORY_BYTES = 3 << 30
"""Address space; decoding ten minutes takes a tenth of it."""
_LONG_SILENCE_S = 2.0
_FRAME = RATE // 10
_BIT_RATE = 32_000
MAX_TRACKS = 100
"""A film in every language has half of it."""
_RATES = range(4_000, 384_001)
_MAX_CHANNELS = 32
_HEAD_BYTES = 16
_BUFFER_BYTES = 1 << 18
_MICROSECONDS = 1_000_000
_CODECS = (
    *("aac", "aac_fixed", "mp3", "mp3float", "mp2", "mp2float", "opus", "libopus", "vorbis", "flac", "alac", "ac3", "eac3"),
    *("pcm_u8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be"),
    *("pcm_f64le", "pcm_f64be", "pcm_alaw", "pcm_mulaw", "adpcm_ms", "adpcm_ima_wav", "amrnb", "amrwb"),
)
_OPTIONS = {
    "codec_whitelist": ",".join(_CODECS),
    "protocol_whitelist": "",
    "max_streams": str(MAX_TRACKS + 1),
    "probesize": "5000000",
    "analyzeduration": "10000000",
}
_TOLERANCE_S = 0.1
"""Time stamps that are off by less are not followed: they jitter."""
_DROPPED_S = 2.0
"""So much that was told before is dropped; beyond it, time stamps that go back are not followed."""
_MAX_FRAME_S = 60.0
"""Nothing real packs more into one frame."""
_MAX_BAD_PACKETS = 5_000
"""In a row; then the rest is taken for damaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSound:
    """An opened file and the track of it that is listened to."""

    container: InputContainer
    track: AudioStream
    declared_s: float | None
    """How long the file says it is, in seconds, which need not be true."""
    starts_s: float
    """The time stamp with which players begin to count, in seconds."""


def open_sound(file: BinaryIO, *, max_s: float) -> OpenSound:
    """Return the sound in *file*; raises TranscriptionError, TOO_LONG where it says that it is longer than *max_s* seconds."""
    kind = _kind_of(file.read(_HEAD_BYTES))
    file.seek(0)
    try:
        container = av.open(
            file, "r", format=kind, container_options=_OPTIONS, metadata_errors="replace", buffer_size=_BUFFER_BYTES
        )
    except (av.error.FFmpegError, ValueError, EOFError) as error:
        raise refuse(Kind.BROKEN, f"The container cannot be opened: {type(error).__name__}.") from error
    if len(container.streams) > MAX_TRACKS:
        raise refuse(Kind.HOSTILE, f"The file has more than {MAX_TRACKS} tracks.")
    track = _choose_track(container)
    for other in container.streams:
        if other is not track:
            other.discard = Discard.all
    declared_s = _declared_s(container, track)
    if declared_s is not None and declared_s > max_s:
        raise too_long(max_s)
    start = container.start_time
    return OpenSound(
        container=container, track=track, declared_s=declared_s, starts_s=start / _MICROSECONDS if start is not None else 0.0
    )


def _choose_track(container: InputContainer) -> AudioStream:
    track = container.streams.best("audio")
    if track is None:
        raise refuse(Kind.NO_SOUND, "The file has no sound track.")
    assert isinstance(track, AudioStream)
    if track.codec_context is None or track.codec_context.name not in _CODECS:
        raise refuse(
            Kind.NOT_MEDIA,
            "The sound is of a kind that is not read.",
            korean="이 파일의 소리 형식은 읽지 못해요. mp3나 m4a로 바꿔서 올려 주세요.",
        )
    context = track.codec_context
    if context.sample_rate not in _RATES or not 0 < context.layout.nb_channels <= _MAX_CHANNELS:
        raise refuse(Kind.BROKEN, f"The sound has {context.sample_rate} samples a second.")
    with suppress(ValueError, RuntimeError):
        context.thread_count = 1
    return track


def _declared_s(container: InputContainer, track: AudioStream) -> float | None:
    if container.duration is not None:
        return float(container.duration / _MICROSECONDS)
    if track.duration is not None and track.time_base is not None:
        return float(track.duration * track.time_base)
    return None


def _kind_of(head: bytes) -> str:
    """Return the format that the first bytes show; raises TranscriptionError."""
    if head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"):
        return "mp4"
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return "wav"
    for start, kind in ((b"\x1a\x45\xdf\xa3", "matroska"), (b"OggS", "ogg"), (b"fLaC", "flac"), (b"ID3", "mp3")):
        if head.startswith(start):
            return kind
    if len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0:  # the frame header of MPEG audio (ISO 11172-3, 13818-7)
        return "aac" if head[1] & 0x06 == 0 else "mp3"
    if not head:
        raise refuse(Kind.NOT_MEDIA, "The file is empty.", korean="파일이 비어 있어요. 영상이나 소리 파일을 다시 올려 주세요.")
    raise refuse(Kind.NOT_MEDIA, "The first bytes are of no video and no recording that is read.")


class Decoder:
    """Yields the sound of a file in order; ``cut`` tells afterwards whether the file ended where it should go on."""

    def __init__(self, sound: OpenSound, *, max_s: float) -> None:
        self._sound, self._max_s = sound, max_s
        self._resampler: AudioResampler | None = None
        self._form: tuple[str, str, int] | None = None
        self._end_s = 0.0
        self.cut = False
        self.damaged = 0
        """Packets that could not be decoded."""

    def blocks(self) -> Iterator[Samples]:
        """Yield the sound from the start of the video, 16,000 samples a second; raises TranscriptionError for what is hostile."""
        for stamp_s, frame in self._frames():
            for samples in self._resample(frame):
                yield from self._place(stamp_s, samples)
                stamp_s = None  # the others of a frame follow the first
        for samples in self._resample(None):
            yield from self._place(None, samples)

    def _frames(self) -> Iterator[tuple[float | None, AudioFrame]]:
        packets, bad_in_a_row = self._sound.container.demux(self._sound.track), 0
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except av.error.FFmpegError:
                self.cut = True
                return
            try:
                frames = packet.decode()
            except av.error.FFmpegError:
                self.damaged, bad_in_a_row = self.damaged + 1, bad_in_a_row + 1
                if bad_in_a_row > _MAX_BAD_PACKETS:
                    self.cut = True
                    return
                continue
            for frame in frames:
                assert isinstance(frame, AudioFrame)
                bad_in_a_row = 0
                yield self._stamp_s(frame), frame

    def _stamp_s(self, frame: AudioFrame) -> float | None:
        if frame.pts is None or frame.time_base is None:
            return None
        return float(frame.pts * frame.time_base) - self._sound.starts_s

    def _resample(self, frame: AudioFrame | None) -> Iterator[Samples]:
        if frame is not None:
            form = (frame.format.name, frame.layout.name, frame.sample_rate)
            if frame.samples > _MAX_FRAME_S * max(frame.sample_rate, 1):
                raise refuse(Kind.HOSTILE, f"One frame claims {frame.samples} samples at {frame.sample_rate} a second.")
            if form != self._form:
                if self._resampler is not None:
                    yield from (_samples(each) for each in self._resampler.resample(None))
                self._resampler, self._form = AudioResampler(format="s16", layout="mono", rate=RATE), form
            frame.pts = None
        if self._resampler is None:
            return
        try:
            mixed = self._resampler.resample(frame)
        except av.error.FFmpegError as error:
            raise refuse(
                Kind.NOT_MEDIA,
                f"The sound ({self._form}) cannot be mixed into one channel.",
                korean="이 소리의 채널은 하나로 합치지 못해요. 모노나 스테레오로 바꿔서 올려 주세요.",
            ) from error
        yield from map(_samples, mixed)

    def _place(self, stamp_s: float | None, samples: Samples) -> Iterator[Samples]:
        """Yield *samples* where *stamp_s* says, with gaps filled by silence and small overlaps dropped."""
        drift_s = 0.0 if stamp_s is None else stamp_s - self._end_s
        if -_DROPPED_S <= drift_s < -_TOLERANCE_S:
            samples = samples[round(-drift_s * RATE) :]
        gap_s = drift_s if drift_s > _TOLERANCE_S else 0.0
        self._end_s += gap_s + len(samples) / RATE
        if self._end_s > self._max_s:
            raise too_long(self._max_s)
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
        match request["do"]:
            case "open":
                return self._open(Path(request["path"]), request["piece_s"], request["max_s"])
            case "next":
                return self._next(Path(request["to"]))
            case _:
                _encode(Path(request["samples"]), request["to"])
                return {}

    def _open(self, path: Path, piece_s: float, max_s: float) -> dict[str, Any]:
        self.close()
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
        start_s, samples = piece
        samples.astype("<i2").tofile(to)
        loudness = Loudness(samples)
        sounding = loudness.sounding()
        return {
            "piece": [start_s, start_s + len(samples) / RATE],
            "sounding": sounding and [sounding.start_s, sounding.end_s],
            "silences": [[each.start_s, each.end_s] for each in loudness.silences(_LONG_SILENCE_S)],
        }


def _pieces(decoder: Decoder, builder: PieceBuilder) -> Iterator[tuple[float, Samples]]:
    for block in decoder.blocks():
        yield from builder.add(block)
    yield from builder.finish()


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


def _encode(samples_path: Path, to: str) -> None:
    """Write the samples at *samples_path* as MP3, which every endpoint takes."""
    samples = np.fromfile(samples_path, dtype="<i2")
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
