"""Learns whether sentences stand alone: ``python -m tests.quality.learn_standing_weights``, which writes ``data/standing.json``.

It learns from sentences of the development transcripts that were read and labelled, whose labels are in the project, the
sentences not, and from what the project wrote itself, but for the samples. Videos kept aside are not learnt from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from search_core.answers import sentence_classes
from search_core.answers.check_worthiness import score_check_worthiness, shipped_weights
from search_core.answers.sentence_classes import NAMES, SentenceClass, read_class_features
from search_core.language.korean import has_hangul, morphemes
from search_core.language.vectors import Embedder
from search_core.search.understanding.references import english_references, korean_references
from tests.quality import claim_videos
from tests.quality.claim_videos import Labelled
from tests.quality.learn_claim_weights import korean_sentences
from tests.quality.learning import Matrix, fit_classes, write_learnt

TARGET = Path(sentence_classes.__file__).parent / "data" / "standing.json"
SPREADS = {"words": (), "korean": (5.0, 5.0), "english": (5.0,)}
"""Vectors of e5 lie close together; so much that of a sentence, and of the one before, is pulled apart beside the features.

What stands before an English one tells little but of which of the few videos it is, and is not learnt from.
"""
TRUST, WRITTEN = 0.3, 0.3
"""How much what was seen counts against the penalty, and the share of it for single sentences written here."""
TALKS = {True: 1.2, False: 0.3}
"""The same for talks written here, in Korean and in English."""


def learn(embedder: Embedder) -> dict[str, Any]:
    """Return what ``data/standing.json`` holds."""
    spoken, talks, written = [row for row in claim_videos.labelled() if not row.kept_aside], claim_videos.talks(), [*_written()]
    sentences = [*spoken, *talks, *written]
    kinds = np.array([list(SentenceClass).index(row.label) for row in sentences])
    trust = TRUST * np.array(
        [*([1.0] * len(spoken)), *(TALKS[has_hangul(row.text)] for row in talks), *([WRITTEN] * len(written))]
    )
    features = read_class_features([row.text for row in sentences], [row.before for row in sentences]).astype(np.float64)
    vectors = (embedder.embed([row.text for row in sentences]).astype(np.float64), vectors_before(sentences, embedder))
    unknown = ~vectors[1].any(axis=1)
    languages = np.array(["korean" if has_hangul(row.text) else "english" for row in sentences])
    learnt = {}
    for name, spreads in SPREADS.items():
        rows_here = (languages == name) | (name == "words")
        rows = np.hstack([features, *vectors[: len(spreads)]])[rows_here]
        spread = np.repeat([1.0, *spreads], [len(NAMES), *(each.shape[1] for each in vectors[: len(spreads)])])
        before = len(NAMES) + vectors[0].shape[1]
        usual = rows[~unknown[rows_here], before:].mean(axis=0)
        rows[unknown[rows_here], before:] = usual  # else that there is one would tell talks from single sentences
        mean = rows.mean(axis=0)
        fitted = fit_classes(spread * (rows - mean), kinds[rows_here], trust[rows_here])
        weights, bias = fitted.weights * spread[:, None], fitted.bias
        learnt[name] = {
            "bias": _rounded(bias - mean @ weights),
            "without_before": _rounded(usual @ weights[before:]),
            "features": dict(zip(NAMES, map(_rounded, weights), strict=False)),
            "vectors": [*map(_rounded, weights[len(NAMES) :])],
        }
    return learnt


def vectors_before(said: Sequence[Labelled], embedder: Embedder) -> Matrix:
    """Return the vectors of the sentences before *said*; zeros where there is none, or the finder would not have it read."""
    texts = [row.before for row in said]
    read = score_check_worthiness(texts, embedder).vectors
    empty = np.zeros(len(shipped_weights().vector))
    return np.array([read[place] if texts[place] and place in read else empty for place in range(len(said))])


def _written() -> Iterator[Labelled]:
    """Yield the project's own sentences of the set of worth."""
    for row in korean_sentences("tuned"):
        points = korean_references(row.text, morphemes(row.text)) if has_hangul(row.text) else english_references(row.text)
        if not (row.worth and points):
            yield Labelled("", row.text, "", SentenceClass.CLAIM if row.worth else SentenceClass.OTHER, kept_aside=False)


def _rounded(row: Matrix) -> list[float]:
    return [round(float(weight), 3) for weight in row]


if __name__ == "__main__":
    write_learnt(TARGET, learn)
