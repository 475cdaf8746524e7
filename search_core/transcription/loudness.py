"""Where a sound is quiet, and where it is best cut; over bare samples, 16,000 a second."""

from __future__ import annotations

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
_STEP = round(RATE * STEP_S)

Samples = NDArray[np.int16]


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
        edges = np.flatnonzero(np.diff(np.concatenate(([False], self._quiet, [False])).astype(np.int8)))
        pairs = edges.reshape(-1, 2)
        return [TimeSpan(float(a) * STEP_S, float(b) * STEP_S) for a, b in pairs if (b - a) * STEP_S >= least_s]

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
        """Return the quietest moment between *earliest_s* and *latest_s*; in a silence, its middle, and of several the last."""
        first, last = self._steps(TimeSpan(earliest_s, latest_s))
        around = self._db[first:last]
        width = max(1, round(_WINDOW_S / STEP_S))
        if len(around) <= width:
            return (earliest_s + latest_s) / 2
        means = np.convolve(around, np.ones(width) / width, mode="valid")
        lowest = np.flatnonzero(means <= means.min() + 0.5)
        run = np.split(lowest, np.flatnonzero(np.diff(lowest) > 1) + 1)[-1]
        return (first + (int(run[0]) + int(run[-1]) + width) / 2) * STEP_S

    def is_quiet_at(self, moment_s: float) -> bool:
        """Return whether it is silent around *moment_s*, so that a cut there splits no word."""
        first, last = self._steps(TimeSpan(moment_s - _WINDOW_S / 2, moment_s + _WINDOW_S / 2))
        return bool(self._quiet[first:last].all())

    def _steps(self, stretch: TimeSpan) -> tuple[int, int]:
        count = len(self._db)
        return max(0, min(count, round(stretch.start_s / STEP_S))), max(0, min(count, round(stretch.end_s / STEP_S)))
