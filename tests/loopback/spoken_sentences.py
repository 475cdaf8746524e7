"""Korean sentences spoken by espeak-ng, and an ear that knows them by the rise and fall of their loudness."""

from __future__ import annotations

import io
import shutil
import subprocess
import wave
from functools import cache

import numpy as np

from tests.loopback.tone_speech import RATE, Sentence

ESPEAK = shutil.which("espeak-ng")
SENTENCES = (
    "메모리 대역폭이 넓을수록 가속기는 덜 기다립니다.",
    "오늘은 반도체 수출이 얼마나 늘었는지 살펴보겠습니다.",
    "그런데 전기 요금은 다음 달부터 오릅니다.",
    "정부는 이번 주에 새로운 지원 계획을 발표했습니다.",
    "이 그래프를 보시면 작년보다 두 배가 되었어요.",
    "질문이 하나 들어왔네요.",
    "네, 맞습니다.",
    "연구진은 삼백 명을 이 년 동안 지켜보았다고 합니다.",
    "먼저 배경부터 짧게 말씀드릴게요.",
    "물가가 내렸다는 말은 사실과 다릅니다.",
    "여기서 잠깐 쉬었다가 이어 가겠습니다.",
)
PAUSE_S = 0.7
"""No sentence of these has a silence so long in it."""
_STEP = RATE // 100
_LOUD = 0.004
_LIKE = 0.85


@cache
def spoken(text: str) -> np.ndarray:
    """Return the sound of *text*, 16,000 samples a second, without silence around it."""
    assert ESPEAK is not None
    wav = subprocess.run([ESPEAK, "-v", "ko", "-s", "160", "--stdout", text], capture_output=True, check=True).stdout
    with wave.open(io.BytesIO(wav)) as file:
        rate = file.getframerate()
        data = np.frombuffer(wav[44:], "<i2").astype(np.float64)
    times = np.arange(int(len(data) * RATE / rate)) * rate / RATE
    samples = np.interp(times, np.arange(len(data)), data).astype(np.int16)
    loud = np.flatnonzero(np.abs(samples) > 300)
    return samples[loud[0] : loud[-1]]


def speak(seconds: float, every_s: float) -> tuple[np.ndarray, list[Sentence]]:
    """Return *seconds* of sound with a sentence each *every_s* seconds, and when which is said."""
    samples, said = np.zeros(round(seconds * RATE), np.int16), []
    for at in range(int((seconds - 8) / every_s)):
        text, start_s = SENTENCES[at % len(SENTENCES)], 1.0 + at * every_s
        sound = spoken(text)
        samples[round(start_s * RATE) :][: len(sound)] = sound
        said.append(Sentence(start_s, text))
    return samples, said


def hear(samples: np.ndarray) -> list[tuple[float, float, str]]:
    """Return begin, end and text of each whole sentence in *samples*."""
    loudness = _loudness(samples)
    steps = np.flatnonzero(loudness > _LOUD)
    if not len(steps):
        return []
    found = []
    for run in np.split(steps, np.flatnonzero(np.diff(steps) > PAUSE_S * 100) + 1):
        text, likeness = max(
            ((each, _likeness(loudness[run[0] : run[-1] + 1], each)) for each in SENTENCES), key=lambda pair: pair[1]
        )
        if likeness > _LIKE:
            found.append((run[0] / 100, (run[-1] + 1) / 100, text))
    return found


def _likeness(found: np.ndarray, text: str) -> float:
    known = _loudness(spoken(text))
    if abs(len(known) - len(found)) > 10:
        return 0.0
    length = min(len(known), len(found))
    return max(
        float(np.corrcoef(known[max(0, lag) : length + min(0, lag)], found[max(0, -lag) : length - max(0, lag)])[0, 1])
        for lag in range(-5, 6)
    )


def _loudness(samples: np.ndarray) -> np.ndarray:
    steps = samples[: len(samples) // _STEP * _STEP].reshape(-1, _STEP).astype(np.float64) / 32768
    return np.sqrt(np.mean(np.square(steps), axis=1))
