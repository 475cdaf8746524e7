"""Logistic regression that was learnt elsewhere, by the names of its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Regression:
    """What each number of a row adds to log odds, and to all of them; what there are no weights for adds nothing."""

    weights: NDArray[np.float64]
    bias: Any

    @classmethod
    def of(cls, stored: Mapping[str, float], names: Sequence[str]) -> Regression:
        """Return what is *stored* by name."""
        return cls(np.array([stored.get(name, 0.0) for name in names]), stored["bias"])

    def odds(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """Return the log odds of one row or of many."""
        found: NDArray[np.float64] = rows[..., : len(self.weights)] @ self.weights + self.bias
        return found
