"""Linear models whose weights ship with the package."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray


@cache
def read_weights(name: str) -> dict[str, Any]:
    """Return what ``data/<name>.json`` holds."""
    stored: dict[str, Any] = json.loads(resources.files(__package__).joinpath(f"data/{name}.json").read_text(encoding="utf-8"))
    return stored


@dataclass(frozen=True, slots=True)
class Regression:
    """A linear model that turns the numbers of a row into log odds; a number without a weight adds nothing."""

    weights: NDArray[np.float64]
    bias: Any

    @classmethod
    def of(cls, stored: Mapping[str, float], names: Sequence[str]) -> Regression:
        """Return the regression *stored* by feature name."""
        return cls(np.array([stored.get(name, 0.0) for name in names]), stored["bias"])

    def odds(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """Return the log odds of one row or of many."""
        odds: NDArray[np.float64] = rows[..., : len(self.weights)] @ self.weights + self.bias
        return odds
