"""What learners of readable weights share: logistic regression, folds left out in turn, and the files they write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from search_core.language.vectors import Embedder
from tests.quality.scorers import LOAD_S, shipped_host

Matrix = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Fitted:
    """Weights, and the bias that is added to their sum."""

    weights: Matrix
    bias: Any

    def odds(self, rows: Matrix) -> Matrix:
        """Return log odds of *rows*."""
        found: Matrix = rows @ self.weights + self.bias
        return found

    def named(self, names: Iterable[str]) -> dict[str, float]:
        """Return the bias and the weights that are not 0 by name."""
        weights = {name: round(float(weight), 3) for name, weight in zip(names, self.weights, strict=True) if weight}
        return {"bias": round(float(self.bias), 3)} | weights


def fit_classes(rows: Matrix, classes: NDArray[np.intp], trust: float | Matrix) -> Fitted:
    """Return weights ``(numbers of a row, classes)`` by logistic regression with a penalty on their squares.

    Each row counts by its *trust*. Of two classes only the weights of the second one stand in the columns.
    """
    learner = LogisticRegression(tol=1e-6, max_iter=5_000)
    learner.fit(rows, classes, sample_weight=np.broadcast_to(trust, len(rows)))
    return Fitted(learner.coef_.T, learner.intercept_)


def fit(rows: Matrix, right: Flags, trust: float | Matrix) -> Fitted:
    """Return the weights that tell the *right* ones of *rows* apart from the others, each row counting by its *trust*."""
    both = fit_classes(rows, right, trust)
    return Fitted(both.weights[:, 0], float(both.bias[0]))


def fit_scaled(rows: Matrix, right: Flags, trust: float | Matrix, used: Flags | None = None) -> Fitted:
    """Return what ``fit`` learns of the *used* columns, each by its spread, for *rows* as they are; others get no weight."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    chosen = spread > 0 if used is None else used & (spread > 0)
    scaled = fit((rows[:, chosen] - mean[chosen]) / spread[chosen], right, trust)
    weights = np.zeros(rows.shape[1])
    weights[chosen] = scaled.weights / spread[chosen]
    return Fitted(weights, scaled.bias - float(mean @ weights))


def odds_by_folds(
    rows: Matrix,
    right: Flags,
    trust: float | Matrix,
    folds: NDArray[np.intp],
    fitting: Callable[[Matrix, Flags, Matrix], Fitted] = fit,
) -> Matrix:
    """Return log odds of each row by weights that were learnt without its fold."""
    odds, trusts = np.zeros(len(rows)), np.broadcast_to(trust, len(rows))
    for fold in np.unique(folds):
        others = folds != fold
        odds[~others] = fitting(rows[others], right[others], trusts[others]).odds(rows[~others])
    return odds


def log_odds(probability: float) -> float:
    """Return the log odds of *probability*."""
    return float(np.log(probability / (1 - probability)))


def write_learnt(target: Path, learn: Callable[[Embedder], Mapping[str, Any]]) -> None:
    """Write what *learn* makes of the model that ships."""
    with shipped_host() as host:
        learnt = learn(host.wait(LOAD_S))
    write_weights(target, learnt)


def write_weights(target: Path, learnt: Mapping[str, Any]) -> None:
    """Write what was *learnt*, a line for each name."""
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in learnt.items())
    target.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
