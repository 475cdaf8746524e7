"""Where a sound is quiet, and how it is cut into pieces there as it comes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
_SEARCH_S, _SEARCH_SHARE = 60.0, 2 / 3
"""The cut lies in the last minute of the longest piece, or in the last two thirds of a short one."""
_MARGIN_S = 0.2


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

    def sounding(self) -> TimeSpan | None:
        """Return the sound without the silence at its ends, but for a fifth of a second; None when all of it is silent."""
        loud = np.flatnonzero(~self._quiet)
        if not len(loud):
            return None
        first, last = (float(step) * STEP_S for step in (loud[0], loud[-1] + 1))
        return TimeSpan(max(0.0, first - _MARGIN_S), min(len(self._db) * STEP_S, last + _MARGIN_S))

    def best_cut(self, earliest_s: float, latest_s: float) -> float:
        """Return the middle of the longest pause between *earliest_s* and *latest_s*, of several as long the last.

        Where nobody pauses it is the quietest moment.
        """
        first, last = (min(len(self._db), round(at_s / STEP_S)) for at_s in (earliest_s, latest_s))
        pauses = _runs(self._quiet[first:last])
        begin, end = max(pauses, key=lambda run: (round((run[1] - run[0]) * STEP_S, 1), run), default=(0, 0))
        if (end - begin) * STEP_S >= _PAUSE_S:
            return (first + (begin + end) / 2) * STEP_S
        width = round(_WINDOW_S / STEP_S)
        around = np.convolve(self._db[first:last], np.ones(width), mode="valid")
        return (first + int(around.argmin()) + width / 2) * STEP_S


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
            earliest_s = self._piece_s - min(_SEARCH_S, _SEARCH_SHARE * self._piece_s)
            cut = round(Loudness(whole).best_cut(earliest_s, self._piece_s) * RATE)
            yield self._start_s, whole[:cut]
            self._blocks, self._count = [whole[cut:].copy()], len(whole) - cut
            self._start_s += cut / RATE

    def finish(self) -> Iterator[tuple[float, Samples]]:
        """Yield what is left as the last piece, where there is any."""
        if self._count:
            yield self._start_s, np.concatenate(self._blocks)
