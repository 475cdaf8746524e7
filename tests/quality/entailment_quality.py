"""How well the entailment model judges, by source and language: accuracy, and both decided stances from their threshold on.

The pairs to choose by (``nli/dev``, and the windows of ``entailment.jsonl`` that are kept aside) gave the temperature and the
thresholds; of KLUE, FEVER and Fool Me Twice others were learnt from, of ``climate-fever`` and ``healthver`` none. XNLI in Korean
and the own pairs of a Korean and an English sentence were seen by neither.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from search_core.models.embedding.e5.model import E5Model
from search_core.models.embedding.e5.weights_file import ENTAILMENT, Additions, Floats, find_weights
from tests.quality.entailment_pairs import BEARS_OUT, DENIES, SILENT, Pair, read_labelled, read_written
from tests.quality.scope import Scope
from tests.quality.sets import loaders, read_rows, under

CLASSES = {"agrees": BEARS_OUT, "contradicts": DENIES}
XNLI = {"entailment": BEARS_OUT, "neutral": SILENT, "contradiction": DENIES}


def measure(scope: Scope) -> dict[str, float]:
    """Return the figures of each source; of the own pairs alone unless *scope* has everything."""
    weights = find_weights()
    if weights is None:
        return {}
    pairs = list(_pairs(development=scope.reads_development))
    odds = E5Model(weights, 2).judge([(pair.window, pair.statement) for pair in pairs])
    labels, sources = np.array([pair.label for pair in pairs]), np.array([pair.source for pair in pairs])
    figures: dict[str, float] = {}
    for source in dict.fromkeys(sources):
        rows = sources == source
        figures |= under(f"entailment/{source}", _figures(odds[rows], labels[rows]))
    return figures


def _figures(odds: Floats, labels: NDArray[np.int_]) -> dict[str, float]:
    thresholds = Additions(ENTAILMENT).array("thresholds", 2).tolist()
    figures = {"accuracy": float((odds.argmax(axis=1) == labels).mean())}
    for (name, label), least in zip(CLASSES.items(), thresholds, strict=True):
        chosen, right = odds[:, label] >= least, labels == label
        figures[f"{name}_precision"] = float(right[chosen].mean()) if chosen.any() else 1.0
        figures[f"{name}_recall"] = float(chosen[right].mean())
    return figures


def _pairs(*, development: bool) -> Iterator[Pair]:
    yield from read_written("dev")
    for row in read_rows("stances_across"):
        yield Pair(row["web"], row["said"], CLASSES.get(row["stance"], SILENT), "across")
    if development:
        yield from read_labelled("dev")
        for premise, statement, kind in loaders().xnli_ko("dev"):
            yield Pair(premise, statement, XNLI[kind], "xnli")
