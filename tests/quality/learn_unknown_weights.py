"""Learns how answers that know nothing begin: ``python -m tests.quality.learn_unknown_weights`` writes ``data/unknown.json``.

Learnt from are labelled answers of the development sets (``fallback_quality``),
``data/fallback.jsonl`` and the wordings to learn of ``data/unknown.jsonl``: those that know nothing, and those of the others
that the classifier is asked about. Vectors are taken from the middle of their language, so that one line serves both. The bias of
each language leaves ``FALSE_ALARMS`` of the answers of its development sets on the wrong side, each judged by weights fitted
without its question. Nothing is left to chance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search_core.answers import fallback_detector
from search_core.answers.fallback_cues import normalize, without_quotes
from search_core.answers.fallback_detector import READ_CHARS, beginning_of, language_of, may_be_classified, read_features
from search_core.language.vectors import Embedder
from tests.quality.fallback_quality import ANSWERED, MISSING
from tests.quality.learning import Matrix, fit, odds_by_folds, write_learnt
from tests.quality.sets import loaders, read_rows

TARGET = Path(fallback_detector.__file__).parent / "data" / "unknown.json"
SPREAD, FEATURES = 16.0, 2.0
"""Vectors of e5 lie close together; so much they, and the features, are pulled apart before they are weighed."""
TRUST = 0.2
"""How much what was seen counts against the penalty."""
TIMES = {"learnt": 4, "shipped": 3}
"""How often own answers count, of which there are few."""
FALSE_ALARMS = {"ko": 0.002, "en": 0.003}
FOLDS = 4


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled answer."""

    source: str
    question: str
    answer: str
    unknown: bool

    @property
    def masked(self) -> str:
        """Return the beginning of the answer without its quotes."""
        return without_quotes(self.answer.strip()[:READ_CHARS])

    @property
    def may_be_asked(self) -> bool:
        """Return whether the classifier is asked about the answer."""
        return may_be_classified(self.answer.strip()[:READ_CHARS], normalize(self.question))


def rows() -> Iterator[Row]:
    """Yield all that is learnt from."""
    load = loaders()
    for name, labels in ANSWERED.items():
        for row in load.answers(name, "dev"):
            if row["label"] in labels or row["label"] in MISSING:
                yield Row(name, row.get("question") or row["prompt"], row["answer"] or "", row["label"] in MISSING)
    for row in load.answers("selfaware_questions_en", "dev"):
        if row["answerable"]:
            yield Row("selfaware_questions_en", row["text"], row["answer"][0], False)
    for name, source, label in (("fallback", "shipped", "triggered"), ("unknown", "learnt", "unknown")):
        for line in read_rows(name):
            if line.get("use") != "held":
                yield Row(source, line.get("question") or "", line["answer"], line[label])


def learn(embedder: Embedder) -> dict[str, Any]:
    """Return what ``data/unknown.json`` holds."""
    answers = [row for row in rows() if any(map(str.isalnum, row.answer)) and (row.unknown or row.may_be_asked)]
    asked, unknown = (np.array([getattr(row, name) for row in answers]) for name in ("may_be_asked", "unknown"))
    beginnings = [beginning_of(row.masked) for row in answers]
    languages = np.array([language_of(text) for text in beginnings])
    vectors = embedder.embed(beginnings).astype(np.float64)
    middles = {each: _middle(vectors[languages == each], unknown[languages == each]) for each in FALSE_ALARMS}
    features = np.array([read_features(text, normalize(row.question)) for text, row in zip(beginnings, answers, strict=True)])
    inputs = np.hstack([SPREAD * (vectors - np.array([middles[each] for each in languages])), FEATURES * features])
    trust = TRUST * np.array([TIMES.get(row.source, 1) for row in answers])
    fitted = fit(inputs, unknown, trust)
    odds = odds_by_folds(inputs, unknown, trust, np.array([_hash(row.question) % FOLDS for row in answers]))
    vector = SPREAD * fitted.weights[:-3]
    real = np.array([row.source not in TIMES and not row.unknown for row in answers])
    cuts = {each: _cut(odds[real & asked & (languages == each)], each) for each in FALSE_ALARMS}
    return {
        "model": embedder.name,
        "bias": {each: round(fitted.bias - float(middles[each] @ vector) - cut, 3) for each, cut in cuts.items()},
        "features": [round(float(weight), 3) for weight in FEATURES * fitted.weights[-3:]],
        "vector": [round(float(weight), 2) for weight in vector],
    }


def _middle(vectors: Matrix, unknown: NDArray[np.bool_]) -> Matrix:
    """Return the point half way between answers that know nothing and the others."""
    middle: Matrix = (vectors[unknown].mean(axis=0) + vectors[~unknown].mean(axis=0)) / 2
    return middle


def _cut(odds: Matrix, language: str) -> float:
    """Return the log odds that ``FALSE_ALARMS`` of all answers in *language* exceed; *odds* are of those that are asked about."""
    load = loaders()
    names = [name for name in (*ANSWERED, "selfaware_questions_en") if name.endswith("_ko") == (language == "ko")]
    answers = sum(
        row.get("answerable", row.get("label") in ANSWERED.get(name, ())) for name in names for row in load.answers(name, "dev")
    )
    return float(np.sort(odds)[::-1][int(FALSE_ALARMS[language] * answers)])


def _hash(text: str) -> int:
    return int(hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(), 16)


if __name__ == "__main__":
    write_learnt(TARGET, learn)
