"""Cutting a sound into pieces at quiet places while it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

RATE = 16_000
Samples = NDArray[np.int16]
_STEP = RATE // 50
"""Loudness is measured over so many samples."""
_QUIET_STEPS = 20
"""Of so many steps, .4 s, the middle of the quietest is cut at: longer than the pause before a plosive, within a word."""
_SEARCH_S = 60.0
"""The cut lies in the last minute of a piece, or in the second half of a short one."""


def cut_pieces(blocks: Iterable[Samples], piece_s: float) -> Iterator[tuple[float, Samples]]:
    """Yield the sound of *blocks* in pieces of at most *piece_s* seconds, each with its start in seconds."""
    held: list[Samples] = []
    count, start = 0, 0
    for block in blocks:
        held.append(block)
        count += len(block)
        while count >= piece_s * RATE:
            whole = np.concatenate(held)
            at = _quietest(whole[: round(piece_s * RATE)])
            yield start / RATE, whole[:at]
            held, count, start = [whole[at:].copy()], count - at, start + at
    if count:
        yield start / RATE, np.concatenate(held)


def _quietest(samples: Samples) -> int:
    """Return the quietest place of *samples* in the part that may be cut; the last of several."""
    first = max(len(samples) // 2, len(samples) - round(_SEARCH_S * RATE))
    steps = samples[first : first + (len(samples) - first) // _STEP * _STEP].reshape(-1, _STEP).astype(np.float32)
    around = np.convolve(np.square(steps).mean(axis=1), np.ones(_QUIET_STEPS), mode="valid")
    return first + (int(np.flatnonzero(around == around.min())[-1]) + _QUIET_STEPS // 2) * _STEP
