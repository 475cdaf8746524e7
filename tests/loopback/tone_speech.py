"""A language that machines can speak and hear: each word is a tone of its own.

``speak`` writes sentences into samples, ``hear`` finds them again in whatever came through cutting and packing, by their sound
alone: moments that ``hear`` returns are measured, not known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RATE = 16_000
WORD_S = 0.3
GAP_S = 0.1
PAUSE_S = 0.45
"""A longer silence ends a sentence."""
_FIRST_HZ, _STEP_HZ = 300, 40
_LEAST_S = 0.15
"""What is shorter is a word cut off, which is not understood."""
_STEP = RATE // 50
_LOUD = 0.02
_SPOKEN = (
    "가격 나무 다리 라면 마음 바다 사람 아침 자리 차례 카메라 타자 파도 하늘 거울 너머 더위 러시아 머리 버스 서울 어제 저녁 처음 "
    "커피 터널 퍼즐 허리 고향 노래 도시 로봇 모자 보물 소리 오후 조각 초록 코끼리 토요일 포도 호수 구름 누나 두부 루비"
)
WORDS = tuple(_SPOKEN.split())


@dataclass(frozen=True)
class Sentence:
    """What is said from a moment on, in seconds."""

    start_s: float
    text: str

    @property
    def end_s(self) -> float:
        """Return when its last word ends."""
        return self.start_s + len(self.text.split()) * (WORD_S + GAP_S) - GAP_S


def sentences(seconds: float, *, every_s: float = 6.0, first_s: float = 1.0, words: int = 5) -> list[Sentence]:
    """Return sentences of *words* words, one each *every_s* seconds; each differs from those around it."""
    count = int((seconds - first_s) / every_s)
    spoken = (" ".join(WORDS[(7 * at + 11 * n + at // 46) % len(WORDS)] for n in range(words)) for at in range(count))
    return [Sentence(first_s + every_s * at, text) for at, text in enumerate(spoken)]


def speak(seconds: float, said: list[Sentence]) -> np.ndarray:
    """Return samples of *seconds* in which *said* is said."""
    samples = np.zeros(round(seconds * RATE), np.int16)
    for sentence in said:
        for at, word in enumerate(sentence.text.split()):
            first = round((sentence.start_s + at * (WORD_S + GAP_S)) * RATE)
            tone = word_tone(word)[: max(0, len(samples) - first)]
            samples[first : first + len(tone)] = tone
    return samples


def word_tone(word: str) -> np.ndarray:
    """Return the sound of *word*."""
    hertz = _FIRST_HZ + _STEP_HZ * WORDS.index(word)
    return (9000 * np.sin(2 * np.pi * hertz * np.arange(round(WORD_S * RATE)) / RATE)).astype(np.int16)


def hear(samples: np.ndarray) -> list[tuple[float, float, str]]:
    """Return begin, end and text of each sentence in *samples* (16,000 a second), words that are cut off left out."""
    words = [word for stretch in _loud_stretches(samples) if (word := _understand(samples, *stretch))]
    said: list[list[tuple[float, float, str]]] = []
    for word in words:
        if not said or word[0] - said[-1][-1][1] > PAUSE_S:
            said.append([])
        said[-1].append(word)
    return [(each[0][0], each[-1][1], " ".join(text for _, _, text in each)) for each in said]


def _loud_stretches(samples: np.ndarray) -> list[tuple[int, int]]:
    steps = samples[: len(samples) // _STEP * _STEP].reshape(-1, _STEP).astype(np.float64) / 32768
    loud = np.sqrt(np.mean(np.square(steps), axis=1)) > _LOUD
    edges = np.flatnonzero(np.diff(np.concatenate(([False], loud, [False])).astype(np.int8)))
    return [(int(a) * _STEP, int(b) * _STEP) for a, b in edges.reshape(-1, 2)]


def _understand(samples: np.ndarray, first: int, last: int) -> tuple[float, float, str] | None:
    if (last - first) / RATE < _LEAST_S:
        return None
    middle = samples[first:last].astype(np.float64) * np.hanning(last - first)
    spectrum = np.abs(np.fft.rfft(middle, n=4 * RATE))
    number = round((int(spectrum.argmax()) / 4 - _FIRST_HZ) / _STEP_HZ)
    return (first / RATE, last / RATE, WORDS[number]) if 0 <= number < len(WORDS) else None
