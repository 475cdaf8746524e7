"""Learns what makes a sentence worth a check: ``python -m tests.quality.learn_claim_weights``, which writes ``data/worth.json``.

It learns from the development half of ClaimBuster's two-class sentences (English debates) and from two thirds of the Korean
sentences in ``data/claims_worth.jsonl``.
Sentences of ClaimBuster that are also lines of the debates are left out, so that these can be measured by what was learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from search_core.answers import check_worthiness
from search_core.answers.check_worthiness import NAMES, read_features
from search_core.language.vectors import Embedder
from tests.quality.learning import Matrix, fit, log_odds, write_learnt
from tests.quality.sets import loaders, read_rows

TARGET = Path(check_worthiness.__file__).parent / "data" / "worth.json"
SPREAD = 16.0
"""Vectors of e5 lie close together; so much they are pulled apart before they are weighed beside the features."""
TRUST, TRUST_ALONE = 0.05, 0.3
"""How much what was seen counts against the penalty; found by folds of ClaimBuster, with vectors and without."""
CUT, CUT_ALONE = 0.36, 0.36
"""The probability at which F1 on ClaimBuster is best when each fifth is judged by the others; it becomes a score of 0.5."""
_LONG = 25
"""Letters from which on two equal sentences of debates are one and the same, and not "Thank you."."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One sentence and whether it is worth a check."""

    text: str
    worth: bool


def korean_sentences(side: str) -> list[Labelled]:
    """Return the project's own sentences of that *side*: "tuned" were learnt from, "held" were not."""
    return [Labelled(text=row["text"], worth=row["worth"]) for row in read_rows("claims_worth") if row["side"] == side]


def claimbuster() -> list[Labelled]:
    """Return sentences of US presidential debates, as annotators of ClaimBuster saw them."""
    return [Labelled(text=row["text"], worth=row["checkworthy"]) for row in loaders().claimbuster("dev")]


def debates() -> list[list[Labelled]]:
    """Return whole debates and speeches, line by line; worth a check is what a newsroom took up, two in a hundred."""
    return [[Labelled(text=line["text"], worth=line["checkworthy"]) for line in row["lines"]] for row in loaders().debates("dev")]


def learnt_from() -> list[Labelled]:
    """Return what the weights are learnt from: nothing that stands in the debates, nothing that was kept aside."""
    measured = {line.text.casefold().strip() for debate in debates() for line in debate if len(line.text) > _LONG}
    return [*(row for row in claimbuster() if row.text.casefold().strip() not in measured), *korean_sentences("tuned")]


def rows_of(sentences: Sequence[str], vectors: Matrix | None = None) -> Matrix:
    """Return what is learnt from: features and, behind them, *vectors*."""
    features = read_features(sentences).astype(np.float64)
    return features if vectors is None else np.hstack([features, vectors])


def pulled_apart(embedder: Embedder, sentences: Sequence[str]) -> tuple[Matrix, Matrix]:
    """Return the vectors of *sentences* less their mean, scaled to the size of features, and that mean."""
    vectors = embedder.embed(sentences).astype(np.float64)
    mean = vectors.mean(axis=0)
    return SPREAD * (vectors - mean), mean


def learn(embedder: Embedder) -> dict[str, Any]:
    """Return what ``data/worth.json`` holds."""
    rows = learnt_from()
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


if __name__ == "__main__":
    write_learnt(TARGET, learn)
