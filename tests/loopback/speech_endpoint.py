"""A transcription endpoint on loopback that really listens: it decodes what it is sent and hears ``tone_speech`` in it.

``listening`` is the good one; the others have one disease each. All are personalities of ``LanguageModelServer.hear``.
"""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import av
import numpy as np

from tests.loopback.language_model import Asked, Personality, Whole, refusal
from tests.loopback.tone_speech import RATE, hear

Heard = list[tuple[float, float, str]]
Change = Callable[[Heard, float], Heard]


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


def seconds_of(asked: Asked) -> float:
    """Return how long the sound of a request is."""
    return len(decode(asked.files[0][1])) / RATE


def wants_moments(asked: Asked) -> bool:
    """Return whether a request asks for segments."""
    return asked.body.get("response_format") == "verbose_json"


def answer(asked: Asked, found: Heard, seconds: float) -> Whole:
    """Return the recognised sentences in the form that was asked for."""
    text = " ".join(each for _, _, each in found)
    if not wants_moments(asked):
        return _json({"text": text, "usage": {"type": "duration", "seconds": seconds}})
    segments = [
        {"id": n, "seek": 0, "start": start, "end": end, "text": f" {each}", "tokens": [1], "avg_logprob": -0.2}
        for n, (start, end, each) in enumerate(found)
    ]
    return _json({"task": "transcribe", "language": "korean", "duration": seconds, "text": text, "segments": segments})


def hearing(change: Change = lambda found, _: found, *, first_s: float | None = None) -> Personality:
    """Return an endpoint that hears the first *first_s* seconds at most, and answers as *change* says."""

    def play(asked: Asked) -> Whole:
        samples = decode(asked.files[0][1])
        seconds = len(samples) / RATE
        listened = samples if first_s is None else samples[: round(first_s * RATE)]
        return answer(asked, change(hear(listened), seconds), seconds)

    return play


listening = hearing()


def without_moments(within: Personality = listening) -> Personality:
    """Return an endpoint that refuses ``verbose_json`` (gpt-4o-transcribe, vllm)."""
    return lambda asked: (
        refusal(400, message="response_format 'verbose_json' is not compatible", type="invalid_request_error")
        if wants_moments(asked)
        else within(asked)
    )


def ignoring_moments(asked: Asked) -> Whole:
    """Answer ``verbose_json`` with plain JSON."""
    samples = decode(asked.files[0][1])
    return _json({"text": " ".join(each for _, _, each in hear(samples))})


def at_most(seconds: float, status: int = 413) -> Personality:
    """Return an endpoint that refuses more than *seconds* of sound with *status*."""
    return lambda asked: refusal(status, message="too long") if seconds_of(asked) > seconds else listening(asked)


def looping(text: str, *, after: int = 2, longer_than_s: float = 0.0) -> Personality:
    """Return an endpoint that says *text* over and over behind *after* sentences, in sounds longer than *longer_than_s*."""

    def loop(found: Heard, seconds: float) -> Heard:
        if seconds <= longer_than_s or len(found) <= after:
            return found
        start_s = found[after][0]
        step_s = (seconds - start_s) / 12
        return [*found[:after], *((start_s + n * step_s, start_s + (n + 1) * step_s, text) for n in range(12))]

    return hearing(loop)


def in_nanoseconds(found: Heard, _: float) -> Heard:
    """Return *found* with its moments in another unit, as LocalAI sends them."""
    return [(start * 1e9, end * 1e9, text) for start, end, text in found]


def inventing(text: str) -> Change:
    """Return what adds *text* in the longest silence between two sentences, as Whisper does."""

    def invent(found: Heard, _: float) -> Heard:
        gaps = [(after[0] - before[1], n) for n, (before, after) in enumerate(pairwise(found))]
        if not gaps:
            return found
        gap_s, n = max(gaps)
        middle = found[n][1] + gap_s / 2
        return [*found[: n + 1], (middle - 0.3, middle + 0.3, text), *found[n + 1 :]]

    return invent


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
