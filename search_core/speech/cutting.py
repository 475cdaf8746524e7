"""Where a sound is quiet, and how it is cut into pieces there: long ones as it comes, and captions of a long one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

RATE = 16_000
STEP_S = 0.02
"""Loudness is measured over so long."""
FLOOR_DB = -96.0
QUIET_DB = -55.0
"""Below it, of full scale, no speech can be understood, however quiet the rest is."""
BELOW_SPEECH_DB = 35.0
"""What is quieter by so much than the loud parts of its piece counts as silence."""
_LOUD_SHARE = 95
_WINDOW_S = 0.3
_PAUSE_S = 0.15
"""Shorter silences are within words: before a plosive is said, the mouth is closed for a tenth of a second."""
_STEP = round(RATE * STEP_S)
Samples = NDArray[np.int16]
_SEARCH_SHARE = 0.1
"""The cut lies in the last tenth of the longest piece."""
CAPTION_S = 15.0
"""Length of the longest caption."""
_CAPTION_PAUSE_S = 0.8
"""A silence of this length ends a caption."""
_EARLIEST_SHARE = 0.35
"""A caption is cut behind so much of the longest one: it is to end with a sentence, and may be short."""
_MARGIN_S = 0.2
_LEAST_S = 0.1


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A stretch of a sound, in seconds from its start."""

    start_s: float
    end_s: float

    @property
    def length_s(self) -> float:
        """Return how long it is, in seconds."""
        return self.end_s - self.start_s


class Loudness:
    """How loud a sound is, step by step."""

    def __init__(self, samples: Samples) -> None:
        whole = samples[: len(samples) // _STEP * _STEP].reshape(-1, _STEP).astype(np.float32)
        power = np.mean(np.square(whole / 32768.0), axis=1) if len(whole) else np.zeros(0, np.float32)
        self._db = np.maximum(10 * np.log10(np.maximum(power, 1e-12)), FLOOR_DB)
        loud = float(np.percentile(self._db, _LOUD_SHARE)) if len(self._db) else FLOOR_DB
        self._quiet = self._db < max(QUIET_DB, loud - BELOW_SPEECH_DB)

    def silences(self, least_s: float) -> list[TimeSpan]:
        """Return the silent stretches that last *least_s* seconds or longer, in order."""
        return [TimeSpan(a * STEP_S, b * STEP_S) for a, b in _runs(self._quiet) if (b - a) * STEP_S >= least_s]

    def trim(self, stretch: TimeSpan, margin_s: float) -> TimeSpan | None:
        """Return *stretch* without the silence at its ends, but for *margin_s* seconds; None when no speech is in it.

        What is silent only beside loud parts elsewhere stays as it is: someone may be speaking softly.
        """
        first, last = self._steps(stretch)
        loud = np.flatnonzero(~self._quiet[first:last])
        if not len(loud):
            return stretch if np.any(self._db[first:last] >= QUIET_DB) else None
        start_s, end_s = (first + int(loud[0])) * STEP_S, (first + int(loud[-1]) + 1) * STEP_S
        return TimeSpan(max(stretch.start_s, start_s - margin_s), min(stretch.end_s, end_s + margin_s))

    def best_cut(self, earliest_s: float, latest_s: float) -> float:
        """Return the middle of the longest pause between *earliest_s* and *latest_s*, of several as long the last.

        Where nobody pauses it is the quietest moment.
        """
        first, last = self._steps(TimeSpan(earliest_s, latest_s))
        pauses = _runs(self._quiet[first:last])
        begin, end = max(pauses, key=lambda run: (round((run[1] - run[0]) * STEP_S, 1), run), default=(0, 0))
        if (end - begin) * STEP_S >= _PAUSE_S:
            return (first + (begin + end) / 2) * STEP_S
        width = round(_WINDOW_S / STEP_S)
        around = np.convolve(self._db[first:last], np.ones(width), mode="valid")
        return (first + int(around.argmin()) + width / 2) * STEP_S

    def _steps(self, stretch: TimeSpan) -> tuple[int, int]:
        count = len(self._db)
        return max(0, min(count, round(stretch.start_s / STEP_S))), max(0, min(count, round(stretch.end_s / STEP_S)))


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return begin and end of each run of true *flags*, in order."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    return [(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]


class PieceBuilder:
    """Collects sound and hands out pieces of at most *piece_s* seconds, each with the second at which it begins."""

    def __init__(self, piece_s: float) -> None:
        self._piece_s = piece_s
        self._blocks: list[Samples] = []
        self._count = 0
        self._start_s = 0.0

    def add(self, samples: Samples) -> Iterator[tuple[float, Samples]]:
        """Take the next *samples*, yielding what is complete."""
        self._blocks.append(samples)
        self._count += len(samples)
        while self._count >= self._piece_s * RATE:
            whole = np.concatenate(self._blocks)
            cut = round(Loudness(whole).best_cut(self._piece_s * (1 - _SEARCH_SHARE), self._piece_s) * RATE)
            yield self._start_s, whole[:cut]
            self._blocks, self._count = [whole[cut:].copy()], len(whole) - cut
            self._start_s += cut / RATE

    def finish(self) -> Iterator[tuple[float, Samples]]:
        """Yield what is left as the last piece, where there is any."""
        if self._count:
            yield self._start_s, np.concatenate(self._blocks)


def cut_captions(loudness: Loudness, length_s: float) -> list[TimeSpan]:
    """Return the stretches of a sound of *length_s* seconds that may be a caption each; empty where all is silent.

    They have no silence around them, end at every long pause, and elsewhere at the longest one within reach.
    """
    edges = [0.0, *((each.start_s + each.end_s) / 2 for each in loudness.silences(_CAPTION_PAUSE_S)), length_s]
    captions = []
    for start_s, end_s in pairwise(edges):
        while end_s - start_s > CAPTION_S:
            cut_s = loudness.best_cut(start_s + _EARLIEST_SHARE * CAPTION_S, start_s + CAPTION_S)
            captions.append(TimeSpan(start_s, cut_s))
            start_s = cut_s
        captions.append(TimeSpan(start_s, end_s))
    trimmed = (loudness.trim(each, _MARGIN_S) for each in captions)
    return [each for each in trimmed if each is not None and each.length_s >= _LEAST_S]
