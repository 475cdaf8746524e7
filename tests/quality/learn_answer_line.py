"""Learns which excerpt answers: ``python -m tests.quality.learn_answer_line``, which writes ``answers/data/answer_line.json``.

Logistic regression with a penalty on the squares of the weights, over the excerpts of half of the questions of each set: Korean
from paragraphs of KorQuAD, English from RealTimeQA; alone on what Kiwi has scored, with meaning on what the model has. The least
probability is chosen where each fifth of the questions is judged by the others, so that ``WRONG`` of them get a wrong line; of
the two of a language the higher one counts for both.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.answers import answer_line
from search_core.answers.answer_features import MEANT, NAMES, PLAIN, AskedQuestion
from search_core.answers.answer_line import MAX_EMBEDDED, Candidates
from search_core.answers.asked_values import asks_for_answer
from search_core.embedding import Embedder, KiwiEmbedder
from tests.quality.answer_line_sets import Recorded, korquad, pooled, realtimeqa, searched
from tests.quality.learn_claim_weights import Fitted, Matrix, fit_scaled, write_learnt

TARGET = Path(answer_line.__file__).parent / "data" / "answer_line.json"
WRONG = {"ko": 0.03, "en": 0.04}
"""Less than the twentieth that is asked for: at .04 of the Korean questions kept aside .07 were wrong."""
TRUST = 0.12
"""How much an excerpt counts against the penalty, divided by the square root of the number of its question's; by folds."""
FOLDS = 5
SETS: dict[str, tuple[tuple[Callable[[], Any], ...], frozenset[str]]] = {
    "ko": ((korquad,), frozenset(NAMES)),
    "en": ((realtimeqa, pooled), frozenset(PLAIN)),
}
"""By language the sets, the first of which the threshold holds for, and what is learnt: bends and products help Korean alone."""


class Labelled(NamedTuple):
    """What may answer a question, and which of it does."""

    group: str
    asks: bool
    rows: Matrix
    right: NDArray[np.bool_]
    spelt: NDArray[np.bool_]
    main: bool


def learn(embedder: Embedder) -> dict[str, Any]:
    """Return what ``data/answer_line.json`` holds."""
    learnt = {}
    for language, (sets, names) in SETS.items():
        rows = [(row, number == 0) for number, of_set in enumerate(sets) for row in of_set() if row.learnt_from]
        alone = [_label(row, KiwiEmbedder(), main=main) for row, main in rows]
        learnt[f"{language} alone"] = weights = _learn(alone, names - MEANT, WRONG[language])
        order = np.array([weights["weights"].get(name, 0.0) for name in NAMES])
        meant = [_label(row, embedder, main=main, order=order) for row, main in rows]
        learnt[f"{language} with meaning"] = with_meaning = _learn(meant, names, WRONG[language])
        weights["least"] = with_meaning["least"] = max(weights["least"], with_meaning["least"])
    return learnt


def _label(recorded: Recorded, embedder: Embedder, *, main: bool, order: Matrix | None = None) -> Labelled:
    """Return the excerpts of what was found; with *order*, those that are best by it, with what they mean."""
    report = searched(recorded, embedder)
    question = AskedQuestion(recorded.text)
    candidates = Candidates.of(question, report.results)
    if order is not None and candidates.excerpts:
        best = np.argsort(-(candidates.rows @ order), kind="stable")[:MAX_EMBEDDED].tolist()
        candidates = candidates.with_meaning(question, report.results, best, embedder)
    texts = [excerpt.text for excerpt in candidates.excerpts]
    right = np.array([recorded.is_held_by(text) for text in texts], dtype=bool)
    spelt = np.array([recorded.is_spelt_in(text) for text in texts], dtype=bool)
    return Labelled(recorded.group, asks_for_answer(recorded.text), candidates.rows, right, spelt, main)


def _learn(rows: Sequence[Labelled], names: frozenset[str], wrong: float) -> dict[str, Any]:
    learnt = _fit(rows, names)
    least = _least(rows, names, wrong)
    weights = {name: round(float(weight), 3) for name, weight in zip(NAMES, learnt.weights, strict=True) if weight}
    return {"bias": round(learnt.bias, 3), "least": round(least, 3), "weights": weights}


def _fit(rows: Sequence[Labelled], names: frozenset[str]) -> Fitted:
    asked = [row for row in rows if len(row.rows)]
    features, right = np.vstack([row.rows for row in asked]), np.concatenate([row.right for row in asked])
    trust = np.concatenate([np.full(len(row.rows), TRUST / np.sqrt(len(row.rows))) for row in asked])
    return fit_scaled(features, right, trust, np.array([name in names for name in NAMES]))


def _least(rows: Sequence[Labelled], names: frozenset[str], share: float) -> float:
    """Return the probability from which on a line is shown, so that at most *share* of the questions get a wrong one."""
    told: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        learnt = _fit([row for row in rows if _fold(row) != fold], names)
        for row in rows:
            if row.main and row.asks and len(row.rows) and _fold(row) == fold:
                odds = learnt.odds(row.rows)
                best = int(odds.argmax())
                told.append((float(1 / (1 + np.exp(-odds[best]))), bool(row.spelt[best])))
    allowed, least, wrong = share * sum(row.main for row in rows), 1.0, 0
    for probability, is_right in sorted(told, reverse=True):
        wrong += not is_right
        if wrong > allowed:
            break
        least = probability
    return least


def _fold(row: Labelled) -> int:
    return zlib.crc32(f"fold {row.group}".encode()) % FOLDS


if __name__ == "__main__":
    write_learnt(TARGET, learn)
