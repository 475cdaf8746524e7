"""Personalities of ``LanguageModelServer.hear`` that really listen: they hear ``tone_speech`` in WAV files."""

from __future__ import annotations

import io
import json
import wave

import numpy as np

from tests.loopback.language_model import Asked, Whole
from tests.loopback.tone_speech import hear


def samples_in(sound: str | io.BytesIO) -> np.ndarray:
    """Return the samples of a WAV file, 16,000 a second."""
    with wave.open(sound) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")


def listening(asked: Asked, unit_s: float = 1.0) -> Whole:
    """Answer with the recognised sentences as segments, whose moments count in *unit_s*."""
    segments = [
        {"id": number, "start": start / unit_s, "end": end / unit_s, "text": f" {text}", "tokens": [1], "avg_logprob": -0.2}
        for number, (start, end, text) in enumerate(hear(samples_in(io.BytesIO(asked.files[0][1]))))
    ]
    answer = {"task": "transcribe", "language": "korean", "text": " ".join(each["text"] for each in segments)}
    return Whole(200, "application/json", json.dumps({**answer, "segments": segments}).encode())


def in_nanoseconds(asked: Asked) -> Whole:
    """Answer with moments in another unit, as LocalAI sends them."""
    return listening(asked, unit_s=1e-9)
