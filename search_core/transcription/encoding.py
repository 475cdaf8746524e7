"""Writes samples as Opus, as MP3 or bare (PyAV 18.1); in a process of its own, since loading PyAV stalls a server."""

from __future__ import annotations

from pathlib import Path

import av
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream

from search_core.domain import SoundForm
from search_core.transcription.loudness import RATE, Samples

_FRAME = RATE // 10
_CODECS = {SoundForm.OGG: ("libopus", "ogg", 28_000), SoundForm.MP3: ("libmp3lame", "mp3", 32_000)}

_OPTIONS = {SoundForm.OGG: {"application": "voip", "compression_level": "5"}}
"""Two thirds of the time of the default, 10; two hours take half a minute of one core."""


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
