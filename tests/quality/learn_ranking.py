"""Learns how likely a result answers: ``python -m tests.quality.learn_ranking``, which writes ``relevance.json``.

Learnt from are the lists of ``ranking_sets``, a third of which is kept aside: once with the model of meaning that ships, once by
words alone. Where results stood at a service is not learnt from, and moves a probability by a fixed amount.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from search_core.language.vectors import Embedder
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.search.ranking import relevance
from search_core.search.ranking.filter import RelevanceFilter, read_results
from search_core.search.ranking.relevance import KINDS, NAMES, OF_MEANING
from tests.quality.learning import Matrix, fit_scaled, write_learnt
from tests.quality.ranking_sets import VIEWERS, JudgedList, judged_lists

TARGET = Path(relevance.__file__).parent / "data" / "relevance.json"
TRUST = 0.3
"""How much a result counts against the penalty."""
TRUST_OF = {"news": 0.5, "pooled": 0.3, VIEWERS: 0.3}
"""By which factor less lists count whose answers are told by their letters, and those of viewers, in which results without an
answer were written to look like one."""


def learn(embedder: Embedder) -> dict[str, Any]:
    """Return what ``data/relevance.json`` holds."""
    lists = [each for each in judged_lists() if each.learnt_from]
    others = [each for each in lists if each.kind != VIEWERS]  # by words alone those of viewers tell nothing
    return {"meaning": fit_lists(lists, embedder), "words": fit_lists(others, KiwiEmbedder())}


def fit_lists(lists: Sequence[JudgedList], embedder: Embedder) -> dict[str, float]:
    """Return the weights that tell results of *lists* that answer from others, by name."""
    rows = np.vstack([rows_of(each, embedder) for each in lists])
    right = np.concatenate([np.array(each.right, dtype=bool) for each in lists])
    trust = np.concatenate([np.full(len(each.right), TRUST * TRUST_OF.get(each.kind, 1.0)) for each in lists])
    unused = () if embedder.limits.across_scripts else OF_MEANING
    fitted = fit_scaled(rows, right, trust, np.array([name not in unused for name in NAMES]))
    weights = {name: round(float(weight), 3) for name, weight in zip(NAMES, fitted.weights, strict=True) if weight}
    for kind in KINDS:  # one of which is called "bias" itself
        weights[kind + "bias"] = round(weights.get(kind + "bias", 0.0) + fitted.bias, 3)
    return weights


def rows_of(each: JudgedList, embedder: Embedder) -> Matrix:
    """Return the features of a list's results."""
    context = RelevanceFilter(embedder).context(**each.sought())
    return read_results(each.results, context, embedder)[0]


if __name__ == "__main__":
    write_learnt(TARGET, learn)
