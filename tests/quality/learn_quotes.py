"""Learns which sentences of a talk are quoted as an answer: ``python -m tests.quality.learn_quotes``.

Writes ``search_core/answers/data/quotes.json``. Logistic regression with a penalty on the squares of the weights: one over the
sentences of the passages that are chosen for a question, one over what the best of them says. What the second one learns from
comes from weights that did not see its group, and a number is taken off so that ``SILENT`` of the questions without an answer get
none. Learnt from are the questions of ``quote_sets`` that are not kept aside.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from search_core.answers import quotes
from search_core.answers.passages import choose_passages
from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.quotes import NAMES, OF_BEST, Candidates
from search_core.domain import Question
from search_core.embedding import Embedder, KiwiEmbedder
from tests.quality.learn_claim_weights import Fitted, fit_scaled, write_learnt
from tests.quality.passage_quality import question_scorer
from tests.quality.quote_sets import AskedTalk, articles, own

TARGET = Path(quotes.__file__).parent / "data" / "quotes.json"
TRUST = {"talks": 0.67, "reworded tuned": 0.67, "articles": 0.33}
"""How much a sentence counts against the penalty, divided by the square root of the number of its question's."""
TRUST_OF_BEST = 0.4
SILENT = 0.63
"""Questions without an answer that get none: some more than before, when a threshold over scores told (.5)."""
FOLDS = 6


class Read(NamedTuple):
    """The sentences for a question as they were read, and which of them answer."""

    asked: AskedTalk
    candidates: Candidates
    right: np.ndarray[Any, np.dtype[np.bool_]]

    @property
    def fold(self) -> int:
        return zlib.crc32(f"fold {self.asked.group}".encode()) % FOLDS


def learn(embedder: Embedder) -> dict[str, Any]:
    """Return what ``data/quotes.json`` holds."""
    asked = [each for each in (*own(), *articles()) if not each.kept_aside]
    learnt: dict[str, Any] = {}
    for name, by in (("meaning", embedder), ("words", KiwiEmbedder())):
        scorer = question_scorer(by)
        read = [one for one in (_read(each, scorer) for each in asked) if one.candidates.quotes]
        learnt[f"{name} sentence"] = _named(_fit_sentences(read), NAMES)
        for language, korean in (("ko", True), ("other", False)):
            learnt[f"{name} {language}"] = _named(_fit_best(read, korean=korean), OF_BEST)
    return learnt


def _read(asked: AskedTalk, scorer: QuestionScorer) -> Read:
    parsed = scorer.parse(Question(text=asked.text, video=asked.video), of_video=True)
    passages = () if parsed.whole else choose_passages(parsed, asked.video, scorer)
    candidates = Candidates.of(parsed, passages, scorer)
    return Read(asked, candidates, np.array([asked.is_answered_by(quote.text) for quote in candidates.quotes], dtype=bool))


def _fit_sentences(read: Sequence[Read]) -> Fitted:
    trust = [np.full(len(one.right), TRUST[one.asked.kind] / np.sqrt(len(one.right))) for one in read]
    rows, right = np.vstack([one.candidates.rows for one in read]), np.concatenate([one.right for one in read])
    return fit_scaled(rows, right, np.concatenate(trust))


def _fit_best(read: Sequence[Read], *, korean: bool) -> Fitted:
    rows, right, folds = [], [], []
    for fold in range(FOLDS):
        learnt = _fit_sentences([one for one in read if one.fold != fold])
        for one in read:
            if one.fold == fold and one.candidates.korean is korean:
                rows.append(one.candidates.of_best(learnt.odds(one.candidates.rows)))
                right.append(bool(one.asked.holds))
                folds.append(fold)
    best, answered = np.vstack(rows), np.array(right)
    odds = np.zeros(len(best))
    for fold in set(folds):
        others, here = np.array(folds) != fold, np.array(folds) == fold
        odds[here] = fit_scaled(best[others], answered[others], np.full(others.sum(), TRUST_OF_BEST)).odds(best[here])
    fitted = fit_scaled(best, answered, np.full(len(best), TRUST_OF_BEST))
    return Fitted(fitted.weights, fitted.bias - float(np.quantile(odds[~answered], SILENT)))


def _named(fitted: Fitted, names: Sequence[str]) -> dict[str, float]:
    weights = {name: round(float(weight), 3) for name, weight in zip(names, fitted.weights, strict=True) if weight}
    return {"bias": round(fitted.bias, 3)} | weights


if __name__ == "__main__":
    write_learnt(TARGET, learn)
