"""A transcription endpoint on loopback that really listens: it decodes what it is sent and hears ``tone_speech`` in it.

``listening`` is the good one; the others have one disease each. All are personalities of ``LanguageModelServer.hear``.
"""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable
from typing import Any

import av
import numpy as np

from tests.loopback.language_model import Asked, Personality, Whole, refusal
from tests.loopback.tone_speech import RATE, hear

Heard = list[tuple[float, float, str]]
Change = Callable[[Heard], Heard]


def decode(data: bytes) -> np.ndarray:
    """Return the samples of an audio file, 16,000 a second."""
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    blocks = [np.zeros(0, np.int16)]
    with av.open(io.BytesIO(data)) as container:
        for frame in container.decode(audio=0):
            frame.pts = None
            blocks += [each.to_ndarray().reshape(-1) for each in resampler.resample(frame)]
    blocks += [each.to_ndarray().reshape(-1) for each in resampler.resample(None)]
    return np.concatenate(blocks)


def answer(found: Heard, seconds: float) -> Whole:
    """Return the recognised sentences as segments."""
    text = " ".join(each for _, _, each in found)
    segments = [
        {"id": n, "seek": 0, "start": start, "end": end, "text": f" {each}", "tokens": [1], "avg_logprob": -0.2}
        for n, (start, end, each) in enumerate(found)
    ]
    return _json({"task": "transcribe", "language": "korean", "duration": seconds, "text": text, "segments": segments})


def hearing(change: Change = lambda found: found) -> Personality:
    """Return an endpoint that hears, and answers as *change* says."""

    def play(asked: Asked) -> Whole:
        samples = decode(asked.files[0][1])
        return answer(change(hear(samples)), len(samples) / RATE)

    return play


listening = hearing()


def without_moments(_: Asked) -> Whole:
    """Refuse ``verbose_json`` (gpt-4o-transcribe, vllm)."""
    return refusal(400, message="response_format 'verbose_json' is not compatible", type="invalid_request_error")


def in_nanoseconds(found: Heard) -> Heard:
    """Return *found* with its moments in another unit, as LocalAI sends them."""
    return [(start * 1e9, end * 1e9, text) for start, end, text in found]


def failing_first(times: int, refused: Personality, then: Personality = listening) -> Personality:
    """Return an endpoint whose first *times* answers are those of *refused*."""
    left, lock = [times], threading.Lock()

    def play(asked: Asked) -> Any:
        with lock:
            left[0] -= 1
            refuse = left[0] >= 0
        return (refused if refuse else then)(asked)

    return play


def _json(value: Any) -> Whole:
    return Whole(200, "application/json", json.dumps(value).encode())
