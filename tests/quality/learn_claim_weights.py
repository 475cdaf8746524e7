"""Learns what makes a sentence worth a check: ``python -m tests.quality.learn_claim_weights``, which writes ``data/worth.json``.

Logistic regression with a penalty on the squares of the weights, fitted by L-BFGS. It learns from the development half of
ClaimBuster's two-class sentences (English debates) and from two thirds of the Korean sentences in ``data/claims_worth.jsonl``.
Sentences of ClaimBuster that are also lines of the debates are left out, so that these can be measured by what was learnt.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from search_core.answers import check_worthiness
from search_core.answers.check_worthiness import NAMES, read_features
from search_core.models.embedding import Embedder
from tests.quality import claim_sets
from tests.quality.scope import SHIPPED
from tests.quality.scorers import scorer

TARGET = Path(check_worthiness.__file__).parent / "data" / "worth.json"
SPREAD = 16.0
"""Vectors of e5 lie close together; so much they are pulled apart before they are weighed beside the features."""
TRUST, TRUST_ALONE = 0.05, 0.3
"""How much what was seen counts against the penalty; found by folds of ClaimBuster, with vectors and without."""
CUT, CUT_ALONE = 0.36, 0.36
"""The probability at which F1 on ClaimBuster is best when each fifth is judged by the others; it becomes a score of 0.5."""
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A row of weights and what is added to their sum."""

    weights: Matrix
    bias: float

    def odds(self, rows: Matrix) -> Matrix:
        """Return log odds of *rows*."""
        found: Matrix = rows @ self.weights + self.bias
        return found


def fit(rows: Matrix, right: NDArray[np.bool_], trust: float | Matrix) -> Fitted:
    """Return the weights that tell the *right* ones of *rows* apart from the others, each row counting by its *trust*."""
    signs = np.where(right, 1.0, -1.0)

    def loss(point: Matrix) -> tuple[float, Matrix]:
        weights, bias = point[:-1], point[-1]
        margins = signs * (rows @ weights + bias)
        pulls = -trust * signs / (1 + np.exp(np.clip(margins, -500, 500)))
        value = (trust * np.logaddexp(0, -margins)).sum() + 0.5 * weights @ weights
        return float(value), np.append(rows.T @ pulls + weights, pulls.sum())

    found = minimize(loss, np.zeros(rows.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return Fitted(found.x[:-1], float(found.x[-1]))


def fit_scaled(rows: Matrix, right: NDArray[np.bool_], trust: float | Matrix, used: NDArray[np.bool_] | None = None) -> Fitted:
    """Return what ``fit`` learns of the *used* columns, each by its spread, for *rows* as they are; others get no weight."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    chosen = spread > 0 if used is None else used & (spread > 0)
    scaled = fit((rows[:, chosen] - mean[chosen]) / spread[chosen], right, trust)
    weights = np.zeros(rows.shape[1])
    weights[chosen] = scaled.weights / spread[chosen]
    return Fitted(weights, scaled.bias - float(mean @ weights))


def rows_of(sentences: Sequence[str], vectors: Matrix | None = None) -> Matrix:
    """Return what is learnt from: features and, behind them, *vectors*."""
    features = read_features(sentences).astype(np.float64)
    return features if vectors is None else np.hstack([features, vectors])


def pulled_apart(embedder: Embedder, sentences: Sequence[str]) -> tuple[Matrix, Matrix]:
    """Return the vectors of *sentences*, as far from their mean as features are from nothing, and that mean."""
    vectors = embedder.embed(sentences).astype(np.float64)
    mean = vectors.mean(axis=0)
    return SPREAD * (vectors - mean), mean


def learn(embedder: Embedder) -> dict[str, Any]:
    """Return what ``data/worth.json`` holds."""
    rows = claim_sets.learnt_from()
    sentences, right = [row.text for row in rows], np.array([row.worth for row in rows])
    vectors, mean = pulled_apart(embedder, sentences)
    both, alone = fit(rows_of(sentences, vectors), right, TRUST), fit(rows_of(sentences), right, TRUST_ALONE)
    vector = SPREAD * both.weights[len(NAMES) :]
    return {
        "model": embedder.name,
        "bias_with_vector": round(both.bias - float(mean @ vector) - log_odds(CUT), 4),
        "with_vector": _named(both.weights[: len(NAMES)]),
        "bias_alone": round(alone.bias - log_odds(CUT_ALONE), 4),
        "alone": _named(alone.weights),
        "vector": [round(float(weight), 3) for weight in vector],
    }


def _named(weights: Matrix) -> dict[str, float]:
    return {name: round(float(weight), 3) for name, weight in zip(NAMES, weights, strict=True)}


def log_odds(probability: float) -> float:
    """Return the log odds of *probability*."""
    return float(np.log(probability / (1 - probability)))


def write_learnt(target: Path, learn: Callable[[Embedder], dict[str, Any]]) -> None:
    """Write what *learn* makes of the model that ships, a line for each name."""
    with scorer(SHIPPED) as embedder:
        if embedder is None:
            raise SystemExit("The model that ships cannot be loaded.")
        learnt = learn(embedder)
    write_lines(target, learnt)


def write_lines(target: Path, learnt: dict[str, Any]) -> None:
    """Write what was *learnt*, a line for each name."""
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in learnt.items())
    target.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    write_learnt(TARGET, learn)
