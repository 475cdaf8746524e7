"""Things that may go into a query or be meant by a pointing word, and the learnt weights by which one is chosen.

Weights: ``data/context.json``, by decision; learnt by ``tests/quality/learn_context.py`` from what viewers ask about videos.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Candidate:
    """A thing that the video speaks of, with what speaks for it by name."""

    text: str
    read: dict[str, float]

    def score(self, decision: str) -> float:
        """Return how much speaks for it; comparable among those of one question and one *decision*."""
        return weigh(decision, self.read)


def weigh(decision: str, read: Mapping[str, float]) -> float:
    """Return the sum of what is *read* by the weights of *decision*, with its bias."""
    weights, bias = _weights(decision)
    return bias + sum(weights.get(name, 0.0) * value for name, value in read.items())


@cache
def _weights(decision: str) -> tuple[Mapping[str, float], float]:
    stored = json.loads(resources.files(__package__).joinpath("data/context.json").read_text(encoding="utf-8"))[decision]
    return stored["weights"], stored["bias"]
