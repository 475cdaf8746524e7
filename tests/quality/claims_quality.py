"""How well claims of a video are found: which sentences are worth a check.

ClaimBuster's sentences were learnt from: each tenth of them is judged by weights that were fitted without it. The debates and the
Korean sentences that were kept aside were not, and are judged by the weights that ship. Precision among the first ten and mean
average precision are those of CheckThat! 2019 (task 1), over whole debates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from search_core.answers.check_worthiness import CHECK_WORTHY, combine, score_check_worthiness
from search_core.models.embedding import Embedder
from tests.quality import claim_sets
from tests.quality.claim_sets import Labelled
from tests.quality.learn_claim_weights import CUT, CUT_ALONE, TRUST, TRUST_ALONE, fit, log_odds, pulled_apart, rows_of
from tests.quality.scope import ALL, KIWI, Scope
from tests.quality.scorers import scorers

FOLDS = 10
SEED = 20_261_122
FIRST = 10
Scores = NDArray[np.float64]


def measure(scope: Scope = ALL) -> dict[str, float]:
    """Return each figure by name, in [0, 1], higher is better."""
    figures: dict[str, float] = {}
    for _, embedder in scorers(scope):
        found = _worth_by(embedder, scope.reads_development)
        figures |= {f"claims/{embedder.name}/{name}": value for name, value in found.items()}
    return figures


def _worth_by(embedder: Embedder, everything: bool) -> dict[str, float]:
    figures = {}
    for side in ("tuned", "held"):
        rows = claim_sets.korean(side)
        figures[f"korean/{side}_f1"] = f1(_right(rows), _scores(rows, embedder) >= CHECK_WORTHY)
    if everything:
        figures |= _claimbuster(embedder) | _debates(embedder)
    return figures


def _claimbuster(embedder: Embedder) -> dict[str, float]:
    rows, own = claim_sets.claimbuster(), claim_sets.korean("tuned")
    sentences, right = [row.text for row in (*rows, *own)], _right([*rows, *own])
    folds = np.append(np.random.default_rng(SEED).integers(0, FOLDS, len(rows)), np.full(len(own), FOLDS))
    odds = _by_folds(rows_of(sentences), right, folds, TRUST_ALONE) - log_odds(CUT_ALONE)
    if embedder.name != KIWI:
        vectors = pulled_apart(embedder, sentences)[0]
        odds = combine(_by_folds(rows_of(sentences, vectors), right, folds, TRUST) - log_odds(CUT), odds)
    odds, right = odds[: len(rows)], right[: len(rows)]
    return {
        "claimbuster/f1": f1(right, odds >= 0),
        "claimbuster/average_precision": average_precision(right, odds),
    }


def _by_folds(matrix: Scores, right: Scores, folds: NDArray[np.int64], trust: float) -> Scores:
    """Return log odds of each row by weights that were fitted without its fold."""
    odds = np.zeros(len(matrix))
    for fold in range(FOLDS):
        odds[folds == fold] = fit(matrix[folds != fold], right[folds != fold] > 0, trust).odds(matrix[folds == fold])
    return odds


def _debates(embedder: Embedder) -> dict[str, float]:
    judged = [(_right(debate), _scores(debate, embedder)) for debate in claim_sets.debates()]
    return {
        "debates/map": float(np.mean([average_precision(right, scores) for right, scores in judged])),
        "debates/precision10": float(np.mean([right[_order(scores)][:FIRST].mean() for right, scores in judged])),
    }


def f1(right: Scores, chosen: Scores) -> float:
    """Return the harmonic mean of precision and recall of what was *chosen*."""
    both = float((right * chosen).sum())
    return 2 * both / float(right.sum() + chosen.sum())


def average_precision(right: Scores, scores: Scores) -> float:
    """Return the mean, over the *right* ones, of the precision down to each of them."""
    found = right[_order(scores)]
    return float((np.cumsum(found) / np.arange(1, len(found) + 1))[found > 0].mean())


def _order(scores: Scores) -> NDArray[np.intp]:
    return np.argsort(-scores, kind="stable")


def _right(rows: Sequence[Labelled]) -> Scores:
    return np.array([float(row.worth) for row in rows])


def _scores(rows: Sequence[Labelled], embedder: Embedder) -> Scores:
    return np.array(score_check_worthiness([row.text for row in rows], embedder).scores)
