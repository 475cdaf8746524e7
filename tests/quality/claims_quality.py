"""How well claims of a video are found: which sentences are worth a check.

Neither the debates nor the Korean sentences that were kept aside were learnt from. Precision among the first ten and mean average
precision are those of CheckThat! 2019 (task 1), over whole debates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from search_core.answers.check_worthiness import CHECK_WORTHY, score_check_worthiness
from search_core.language.vectors import Embedder
from tests.quality.learn_claim_weights import Labelled, debates, korean_sentences
from tests.quality.scope import Scope
from tests.quality.scorers import figures_of_scorers
from tests.quality.sets import f1

FIRST = 10


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name."""

    def figures_of(embedder: Embedder) -> dict[str, float]:
        figures = {}
        for side in ("tuned", "held"):
            rows = korean_sentences(side)
            chosen = [score >= CHECK_WORTHY for score in _scores(rows, embedder)]
            both = sum(row.worth and found for row, found in zip(rows, chosen, strict=True))
            figures[f"korean/{side}_f1"] = f1(both, sum(chosen), sum(row.worth for row in rows))
        return figures | _debates(embedder) if scope.reads_development else figures

    return figures_of_scorers("claims", scope, figures_of)


def _debates(embedder: Embedder) -> dict[str, float]:
    ranked = []
    for debate in debates():
        order = np.argsort([-score for score in _scores(debate, embedder)], kind="stable")
        ranked.append(np.array([row.worth for row in debate])[order])
    return {
        "debates/map": float(np.mean([(right.cumsum() / np.arange(1, len(right) + 1))[right].mean() for right in ranked])),
        "debates/precision10": float(np.mean([right[:FIRST].mean() for right in ranked])),
    }


def _scores(rows: Sequence[Labelled], embedder: Embedder) -> Sequence[float]:
    return score_check_worthiness([row.text for row in rows], embedder).scores
