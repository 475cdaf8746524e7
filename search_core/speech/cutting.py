"""Where a sound is quiet, and how it is cut into pieces there: long ones as it comes, and short ones of a long one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
OVERLAP_S = 4.0
"""Neighbouring pieces share so much sound, half of it on each side of the cut."""
_SEARCH_SHARE = 0.1
"""The cut lies in the last tenth of the longest piece."""
_SHORT_OVERLAP_S = 1.0
"""For short pieces whose cut would split a word."""
_EARLIEST_SHARE, _EARLIEST_SHARE_OF_CAPTION = 0.5, 0.35
"""A short piece is cut behind so much of the longest one. What becomes a caption is to end with a sentence: it may be shorter."""
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


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return begin and end of each run of true *flags*, in order."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    return [(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sound with its place, in seconds, and the moments between which its words count."""

    sound: TimeSpan
    counts: TimeSpan
    """Within ``sound``: the parts of neighbours begin and end there."""


class PieceBuilder:
    """Collects sound and hands out pieces of at most *piece_s* seconds with their overlap."""

    def __init__(self, piece_s: float) -> None:
        self._piece_s = piece_s
        self._blocks: list[Samples] = []
        self._count = 0
        self._start_s: float | None = None
        self._counts_from_s = 0.0

    def add(self, start_s: float, samples: Samples, *, jump: bool) -> Iterator[tuple[Part, Samples]]:
        """Take *samples* that begin at *start_s*, yielding what is complete; *jump* tells that they do not join what came."""
        if jump or self._start_s is None:
            yield from self.finish()
            self._start_s = self._counts_from_s = start_s
        self._blocks.append(samples)
        self._count += len(samples)
        while self._count >= (self._piece_s + OVERLAP_S / 2) * RATE:
            yield self._cut()

    def finish(self) -> Iterator[tuple[Part, Samples]]:
        """Yield what is left as the last piece, where there is any."""
        samples = self._joined()
        if self._start_s is not None and len(samples):
            end_s = self._start_s + len(samples) / RATE
            yield Part(TimeSpan(self._start_s, end_s), TimeSpan(self._counts_from_s, end_s)), samples
        self._blocks, self._count, self._start_s = [], 0, None

    def _cut(self) -> tuple[Part, Samples]:
        assert self._start_s is not None
        samples = self._joined()
        cut_s = Loudness(samples).best_cut(self._piece_s * (1 - _SEARCH_SHARE), self._piece_s)
        last, first = round((cut_s + OVERLAP_S / 2) * RATE), round((cut_s - OVERLAP_S / 2) * RATE)
        cut_at_s = self._start_s + cut_s
        part = Part(TimeSpan(self._start_s, self._start_s + last / RATE), TimeSpan(self._counts_from_s, cut_at_s))
        rest = samples[first:].copy()
        self._blocks, self._count = [rest], len(rest)
        self._start_s, self._counts_from_s = self._start_s + first / RATE, cut_at_s
        return part, samples[:last]

    def _joined(self) -> Samples:
        joined: Samples = np.concatenate(self._blocks) if self._blocks else np.zeros(0, np.int16)
        self._blocks = [joined]
        return joined


def cut_short(samples: Samples, within: TimeSpan, most_s: float, *, at_pauses_s: float | None = None) -> list[Part]:
    """Return parts of at most *most_s* seconds of *within*, without the silence around them; empty where all is silent.

    Where a cut splits a word, both parts have a second more. With *at_pauses_s* every silence that lasts so long is a cut, for
    then a part is a caption.
    """
    loudness = Loudness(samples)
    pauses = [] if at_pauses_s is None else loudness.silences(at_pauses_s)
    edges = [within.start_s, *((p.start_s + p.end_s) / 2 for p in pauses), within.end_s]
    inner = [edge for edge in edges if within.start_s <= edge <= within.end_s]
    parts: list[Part] = []
    reach_s = most_s - _SHORT_OVERLAP_S
    earliest_s = (_EARLIEST_SHARE if at_pauses_s is None else _EARLIEST_SHARE_OF_CAPTION) * reach_s
    for start_s, end_s in pairwise(inner):
        parts += _cut_stretch(loudness, TimeSpan(start_s, end_s), most_s, TimeSpan(earliest_s, reach_s))
    return [trimmed for part in parts if (trimmed := _trim(loudness, part))]


def _cut_stretch(loudness: Loudness, stretch: TimeSpan, most_s: float, reach: TimeSpan) -> list[Part]:
    """Return parts of at most *most_s* seconds, each cut as far behind its start as *reach* says."""
    parts, start_s, counts_from_s = [], stretch.start_s, stretch.start_s
    while stretch.end_s - start_s > most_s:
        cut_s = loudness.best_cut(start_s + reach.start_s, start_s + reach.end_s)
        more_s = 0.0 if loudness.is_quiet_at(cut_s) else _SHORT_OVERLAP_S / 2
        parts.append(Part(TimeSpan(start_s, cut_s + more_s), TimeSpan(counts_from_s, cut_s)))
        start_s, counts_from_s = cut_s - more_s, cut_s
    parts.append(Part(TimeSpan(start_s, stretch.end_s), TimeSpan(counts_from_s, stretch.end_s)))
    return parts


def _trim(loudness: Loudness, part: Part) -> Part | None:
    sound = loudness.trim(part.sound, _MARGIN_S)
    return replace(part, sound=sound) if sound is not None and sound.length_s >= _LEAST_S else None
