"""What the probabilities of another model of entailment are worth: learnt from pairs whose answer is known.

Its numbers are put on one scale with those of the model that ships, so that the same bounds hold for both.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Self

import numpy as np

from search_core.text.vectors import Vectors

PRECISION = 0.88
"""How often it must be right where it is believed."""
BELIEVED = (0.78, 0.84)
"""From where on the shipped model is believed that a text bears a statement out, and that it denies it."""
_LEAST = 12
"""Pairs beyond a bound, for it to say anything."""
_DECIDED = (0, 2)
"""The columns of both."""
_UNBELIEVED = 0.49
"""The most that is made of a class whose probabilities tell nothing."""


@cache
def known_pairs() -> tuple[tuple[tuple[str, str], int], ...]:
    """Return pairs of a text and a statement with the column that is right; the model that ships learnt none of them."""
    lines = files("search_core.embedding").joinpath("data", "known_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(
        ((group["window"], statement), column)
        for group in map(json.loads, lines)
        for column, name in enumerate(("bears_out", "silent", "denies"))
        for statement in group[name]
    )


@dataclass(frozen=True, slots=True)
class ClassThresholds:
    """From where on each decided class is right often enough, and how it fares on the known pairs there."""

    starts: tuple[float | None, ...]
    """None where it never is."""
    precision: tuple[float, ...]
    recall: tuple[float, ...]

    @classmethod
    def of(cls, found: Vectors, right: Sequence[int]) -> Self:
        """Return what comes of probabilities *found* for pairs of which these columns are *right*."""
        labels, starts, precision, recall = np.array(right), [], [], []
        for column in _DECIDED:
            odds, wanted = found[:, column], labels == column
            told = [odds >= start for start in np.unique(odds)]
            good = [each for each in told if each.sum() >= _LEAST and wanted[each].mean() >= PRECISION]
            widest = good[0] if good else np.zeros(len(odds), dtype=bool)
            starts.append(float(odds[widest].min()) if good else None)
            precision.append(float(wanted[widest].mean()) if good else 0.0)
            recall.append(float(widest[wanted].mean()))
        return cls(tuple(starts), tuple(precision), tuple(recall))

    def apply(self, found: Vectors) -> Vectors:
        """Return *found* with each start where the shipped model's is; what is left over is silence."""
        scaled = np.zeros_like(found)
        for column, start, believed in zip(_DECIDED, self.starts, BELIEVED, strict=True):
            if start is None:
                scaled[:, column] = found[:, column] * _UNBELIEVED
            else:
                scaled[:, column] = np.interp(found[:, column], (0.0, min(max(start, 0.01), 0.99), 1.0), (0.0, believed, 1.0))
        scaled[:, 1] = np.maximum(0.0, 1.0 - scaled[:, 0] - scaled[:, 2])
        return scaled

    @property
    def korean(self) -> str:
        """Return what it reaches, for people."""
        told = (
            f"{word} {precision:.0%} 정확, {recall:.0%} 찾음"
            for word, start, precision, recall in zip(
                ("같은 말", "다른 말"), self.starts, self.precision, self.recall, strict=True
            )
            if start is not None
        )
        return " · ".join(told) or "어느 쪽도 믿을 만하지 않음"
