"""Makes videos and recordings with a known sound, by PyAV."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.audio.frame import AudioFrame
from av.video.frame import VideoFrame

RATE = 16_000
CODECS = {
    "mp4": ("mp4", "aac"),
    "m4a": ("ipod", "aac"),
    "mkv": ("matroska", "aac"),
    "webm": ("webm", "libopus"),
    "mp3": ("mp3", "libmp3lame"),
    "wav": ("wav", "pcm_s16le"),
    "ogg": ("ogg", "libopus"),
    "flac": ("flac", "flac"),
}
"""The format and the codec of each ending."""
PICTURES = {"mp4": "mpeg4", "mkv": "mpeg4", "webm": "libvpx"}


@dataclass(frozen=True)
class Tone:
    """Somebody speaks: a tone of 440 Hz, with its times in seconds."""

    start_s: float
    end_s: float


def sound(seconds: float, *tones: Tone) -> np.ndarray:
    """Return samples of silence with *tones* in it."""
    samples = np.zeros(round(seconds * RATE), np.int16)
    for tone in tones:
        first, last = round(tone.start_s * RATE), min(len(samples), round(tone.end_s * RATE))
        samples[first:last] = 9000 * np.sin(2 * np.pi * 440 * np.arange(last - first) / RATE)
    return samples


def write(path: Path, samples: np.ndarray, *, tracks: int = 1, picture: bool = False, late_s: float = 0.0) -> Path:
    """Write *samples* to *path* in the format of its ending; the sound begins *late_s* after the picture."""
    container_format, codec = CODECS[path.suffix.removeprefix(".")]
    with av.open(str(path), "w", format=container_format) as container:
        video = container.add_stream(PICTURES[path.suffix.removeprefix(".")], rate=5) if picture else None
        if video is not None:
            video.width, video.height, video.pix_fmt = 64, 64, "yuv420p"
        streams = [container.add_stream(codec, rate=48_000 if codec == "libopus" else RATE, layout="mono") for _ in range(tracks)]
        if video is not None:
            for at in range(round(5 * (len(samples) / RATE + late_s)) or 5):
                frame = VideoFrame(64, 64, "yuv420p")
                for plane in frame.planes:
                    plane.update(bytes(plane.buffer_size))
                frame.pts = at
                container.mux(video.encode(frame))
            container.mux(video.encode(None))
        for stream in streams:
            for frame in _frames(stream, samples, late_s):
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
    return path


def _frames(stream, samples: np.ndarray, late_s: float):
    resampler = av.AudioResampler(format=stream.codec_context.format.name, layout="mono", rate=stream.codec_context.sample_rate)
    fifo = av.AudioFifo()
    for at in range(0, len(samples), RATE):
        frame = AudioFrame.from_ndarray(samples[at : at + RATE].reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = RATE
        for each in [*resampler.resample(frame), *(resampler.resample(None) if at + RATE >= len(samples) else [])]:
            each.pts = None
            fifo.write(each)
    size, done = stream.codec_context.frame_size or 1024, round(late_s * stream.codec_context.sample_rate)
    while fifo.samples:
        frame = fifo.read(min(size, fifo.samples), partial=True)
        frame.pts, frame.sample_rate = done, stream.codec_context.sample_rate
        frame.time_base = Fraction(1, frame.sample_rate)
        done += frame.samples
        yield frame
