"""Learns how well sentences answer: ``python -m tests.quality.learn_reader`` writes ``search_core/answers/data/reader.json``.

Logistic regression with a penalty on the squares of the weights: one over the sentences that are read for a question, one over
what speaks for the best of them. What the second one learns from comes from weights that did not see its group, and a number is
taken off its odds: of talks so that ``SILENT`` of the questions without an answer get none, of pages so that ``RIGHT`` of the
lines that are shown hold the answer. Talks are those of ``quote_sets`` and ``answering_sets``, pages those of
``answer_line_sets``; what is kept aside there is not learnt from.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search_core.answers import reader
from search_core.answers.answer_line import may_answer, read_results
from search_core.answers.passages import choose_passages
from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.quotes import asked_question, said_in
from search_core.answers.reader import OF_BEST, nearness, of_best
from search_core.answers.reading import NAMES, OF_MEANING, AskedQuestion, Rows, Said, read_sentences, with_meaning
from search_core.domain import Question
from search_core.embedding import Embedder, KiwiEmbedder
from search_core.text.questions import is_question
from tests.quality.answer_line_sets import Recorded, korquad, pooled, realtimeqa, searched
from tests.quality.answering_sets import AnsweredQuestion, answered_questions, said_within
from tests.quality.learn_claim_weights import Fitted, fit_scaled, write_learnt
from tests.quality.passage_quality import question_scorer
from tests.quality.quote_sets import AskedTalk, articles, own

TARGET = Path(reader.__file__).parent / "data" / "reader.json"
TRUST = {"answering": 1.0, "articles": 0.33, "pages": 0.12}
"""How much a sentence counts against the penalty, divided by the square root of the number of its question's."""
TRUST_OF_OTHERS, TRUST_OF_BEST = 0.67, 1.0
SILENT = 0.7
RIGHT = {False: 0.9, True: 0.95}
"""By whether a model of meaning reads: more than is wanted, for of what is kept aside fewer are right."""
APART = {"talk": "foreign", "pages": "asked in Korean"}
"""By what of a question that holds apart."""
FOLDS = 6


@dataclass(frozen=True, slots=True)
class Labelled:
    """What was read for a question, and which of it answers."""

    kind: str
    group: str
    rows: Rows
    right: NDArray[np.bool_]
    answered: bool

    @property
    def fold(self) -> int:
        return zlib.crc32(f"fold {self.group}".encode()) % FOLDS

    @property
    def trust(self) -> NDArray[np.float64]:
        return np.full(len(self.right), TRUST.get(self.kind, TRUST_OF_OTHERS) / np.sqrt(len(self.right)))


def learn(embedder: Embedder) -> dict[str, Any]:
    """Return what ``data/reader.json`` holds."""
    learnt: dict[str, Any] = {}
    for by, model in (("words", KiwiEmbedder()), ("meaning", embedder)):
        meant = model is embedder
        for kind, rows in (("talk", talks(model, meant=meant)), ("pages", pages(model, meant=meant))):
            read = [each for each in rows if len(each.right)]
            learnt[f"{kind} {by} sentence"] = named(fit_sentences(read, meant=meant), NAMES)
            learnt[f"{kind} {by} best"] = named(fit_best(read, kind, meant=meant), OF_BEST)
    return learnt


def talks(embedder: Embedder, *, meant: bool) -> Iterator[Labelled]:
    """Yield what is read of talks for the questions that are learnt from."""
    scorer = question_scorer(embedder)
    for each in (*own(), *articles(), *answered_questions()):
        if not each.kept_aside and (found := label_talk(each, scorer, meant=meant)) is not None:
            yield found


def label_talk(each: AskedTalk | AnsweredQuestion, scorer: QuestionScorer, *, meant: bool) -> Labelled | None:
    """Return what is read of a talk for one question; None for one about the whole."""
    moment_s = each.moment_s if isinstance(each, AnsweredQuestion) else None
    parsed = scorer.parse(Question(text=each.text, video=each.video, moment_s=moment_s), of_video=True)
    if parsed.whole:
        return None
    quotes, said = said_in(parsed, choose_passages(parsed, each.video, scorer), scorer.ends)
    if isinstance(each, AnsweredQuestion):
        right = np.zeros(len(quotes), dtype=bool)
        right[said_within(each.essential, quotes)] = True
        kind, group, answered = "answering", each.video_name, bool(each.essential)
    else:
        right = np.array([each.is_answered_by(quote.text) for quote in quotes], dtype=bool)
        kind, group, answered = each.kind, each.group, bool(each.holds)
    told = np.array([not is_question(quote.text) for quote in quotes], dtype=bool)
    kept = np.ones(len(quotes), dtype=bool) if parsed.for_questions or not told.any() else told
    rows = read_rows_of(asked_question(parsed), said, (), scorer.embedder if meant else None)
    return Labelled(kind, group, rows[kept], right[kept], answered)


def read_rows_of(question: AskedQuestion, said: Sequence[Said], heads: Sequence[str], embedder: Embedder | None) -> Rows:
    """Return the rows of *said*, with what *embedder* makes of them."""
    rows = read_sentences(question, said, heads)
    if embedder is None or not said:
        return rows
    return with_meaning(rows, said, nearness(question, said, heads, range(len(said)), embedder))


def pages(embedder: Embedder, *, meant: bool) -> Iterator[Labelled]:
    """Yield what is read of results for the questions that are learnt from."""
    for recorded in (*korquad(), *realtimeqa(), *pooled()):
        if recorded.learnt_from:
            yield label_pages(recorded, embedder, meant=meant)


def label_pages(recorded: Recorded, embedder: Embedder, *, meant: bool) -> Labelled:
    """Return what is read of the results of one question."""
    results = searched(recorded, embedder).results
    question = AskedQuestion(recorded.text)
    excerpts, said, heads = read_results(results)
    rows = read_rows_of(question, said, heads, embedder if meant else None)
    kept = np.array([may_answer(question, each, results[each.row]) for each in excerpts], dtype=bool)
    right = np.array([recorded.is_held_by(each.text) for each in excerpts], dtype=bool)
    return Labelled("pages", recorded.group, rows[kept], right[kept], bool(right[kept].any()))


def fit_sentences(read: Sequence[Labelled], *, meant: bool) -> Fitted:
    """Return what tells sentences that answer from others."""
    rows, right = np.vstack([one.rows for one in read]), np.concatenate([one.right for one in read])
    used = np.array([meant or name not in OF_MEANING for name in NAMES])
    return fit_scaled(rows, right, np.concatenate([one.trust for one in read]), used)


def fit_best(read: Sequence[Labelled], kind: str, *, meant: bool) -> Fitted:
    """Return what tells whether the best sentence answers: for talks whether any does, for pages whether it holds the answer."""
    best, answered, folds = [], [], []
    for fold in range(FOLDS):
        learnt = fit_sentences([one for one in read if one.fold != fold], meant=meant)
        for one in read:
            if one.fold == fold:
                odds = learnt.odds(one.rows)
                best.append(of_best(one.rows, odds))
                answered.append(one.answered if kind == "talk" else bool(one.right[odds.argmax()]))
                folds.append(fold)
    rows, told, fold_of = np.vstack(best), np.array(answered), np.array(folds)
    trust = np.full(len(rows), TRUST_OF_BEST)
    odds = np.zeros(len(rows))
    for fold in range(FOLDS):
        here = fold_of == fold
        odds[here] = fit_scaled(rows[~here], told[~here], trust[~here]).odds(rows[here])
    fitted = fit_scaled(rows, told, trust)
    apart = OF_BEST.index(APART[kind])
    off = [
        silent_below(odds[here], told[here]) if kind == "talk" else least_odds(odds[here], told[here], RIGHT[meant])
        for here in (rows[:, apart] < 0.5, rows[:, apart] >= 0.5)
    ]
    weights = fitted.weights.copy()
    weights[apart] -= off[1] - off[0]
    return Fitted(weights, fitted.bias - off[0])


def silent_below(odds: NDArray[np.float64], answered: NDArray[np.bool_]) -> float:
    """Return the odds below which ``SILENT`` of the questions without an answer are."""
    return float(np.quantile(odds[~answered], SILENT))


def least_odds(odds: NDArray[np.float64], right: NDArray[np.bool_], share: float) -> float:
    """Return the odds from which on such a *share* of the lines is right."""
    order = np.argsort(-odds)
    precise = np.flatnonzero(np.cumsum(right[order]) / np.arange(1, len(order) + 1) >= share)
    return float(odds[order[precise[-1]]]) if len(precise) else float(odds.max()) + 1.0


def named(fitted: Fitted, names: Iterable[str]) -> dict[str, float]:
    """Return what was *fitted* by name."""
    weights = {name: round(float(weight), 3) for name, weight in zip(names, fitted.weights, strict=True) if weight}
    return {"bias": round(fitted.bias, 3)} | weights


if __name__ == "__main__":
    write_learnt(TARGET, learn)
