"""Decodes the sound of a file, block by block, onto the clock of the video; only ever in a process that can be killed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import av.error
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler

from search_core.errors import TranscriptionFailure as Kind
from search_core.transcription.loudness import RATE, Samples
from search_core.transcription.refusals import refuse, too_long
from search_core.transcription.sound_file import OpenSound

_TOLERANCE_S = 0.1
"""Time stamps that are off by less are not followed: they jitter."""
_FILLED_S = 30.0
"""A shorter gap is filled with silence; at a longer one a new piece begins."""
_DROPPED_S = 2.0
"""So much that was told before is dropped; beyond it, time stamps that go back are not followed."""
_MAX_FRAME_S = 60.0
"""Nothing real packs more into one frame."""
_MAX_BAD_PACKETS = 5_000
"""In a row; then the rest is taken for damaged."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some sound: 16,000 samples a second."""

    start_s: float
    """From the start of the video, in seconds."""
    samples: Samples
    jump: bool
    """True where it does not join the block before."""


class Decoder:
    """Yields the sound of a file in order; ``cut`` tells afterwards whether the file ended where it should go on."""

    def __init__(self, sound: OpenSound, *, max_s: float) -> None:
        self._sound, self._max_s = sound, max_s
        self._resampler: AudioResampler | None = None
        self._form: tuple[str, str, int] | None = None
        self._next_s: float | None = None
        self.cut = False
        self.damaged = 0
        """Packets that could not be decoded."""

    def blocks(self) -> Iterator[Block]:
        """Yield blocks of sound; raises TranscriptionError for what is too long or hostile."""
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

    def _place(self, stamp_s: float | None, samples: Samples) -> Iterator[Block]:
        """Yield *samples* where *stamp_s* says, with small gaps filled and small overlaps dropped."""
        jump = self._next_s is None
        expected_s = self._next_s or 0.0
        drift_s = 0.0 if stamp_s is None else stamp_s - expected_s
        if jump or drift_s > _FILLED_S:
            jump, expected_s = True, max(expected_s, stamp_s or 0.0)
        elif drift_s > _TOLERANCE_S:
            samples = np.concatenate((np.zeros(round(drift_s * RATE), np.int16), samples))
        elif -_DROPPED_S <= drift_s < -_TOLERANCE_S:
            samples = samples[round(-drift_s * RATE) :]
        if not len(samples):
            return
        self._next_s = expected_s + len(samples) / RATE
        if self._next_s > self._max_s:
            raise too_long(self._max_s)
        yield Block(expected_s, samples, jump)


def _samples(frame: AudioFrame) -> Samples:
    return np.asarray(frame.to_ndarray(), np.int16).reshape(-1)
