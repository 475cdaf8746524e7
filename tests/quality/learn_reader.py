"""Learns how well sentences answer: ``python -m tests.quality.learn_reader`` writes ``search_core/answers/data/reader.json``.

``talk``, ``moment``, ``pages`` or ``together`` behind it learns only that.

One fit is over the sentences that are read for a question, of talks one over what speaks for the best of them. What the second
one learns from comes from weights that did not see its group, and a number is taken off its odds, so that ``SILENT`` of the
questions without an answer get none. Of pages the odds of the best sentence count, so that a share ``WRONG`` of questions gets a
wrong line, each fold judged by the others. Talks are those of ``quote_sets``, pages those of ``answer_line_sets``; what is kept
aside there is not learnt from.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search_core.answers import reader
from search_core.answers.answer_line import may_answer, read_results
from search_core.answers.passages import choose_passages
from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.quotes import asked_question, read_passages, said_in
from search_core.answers.reader import MOMENT, OF_BEST, TALK, ReadAnswers, nearness, of_best, read_together
from search_core.answers.reading import (
    NAMES,
    OF_MEANING,
    OF_PAGES,
    OF_TALKS,
    AskedQuestion,
    Rows,
    Said,
    read_sentences,
    with_meaning,
)
from search_core.answers.regression import read_weights
from search_core.language.statements.proposition import is_question
from search_core.language.vectors import Embedder
from search_core.models.embedding.embedder import KiwiEmbedder
from tests.quality.answer_line_sets import Recorded, korquad, pooled, realtimeqa, searched
from tests.quality.answering_pairs import is_taught
from tests.quality.excerpts_quality import question_scorer
from tests.quality.learning import Fitted, fit_scaled, odds_by_folds, write_weights
from tests.quality.quote_sets import AskedTalk, ViewerAsked, asked_of, parse, written, written_at_moments
from tests.quality.scorers import LOAD_S, shipped_host
from tests.quality.sets import part_of

TARGET = Path(reader.__file__).parent / "data" / "reader.json"
TRUST = {"answering": 1.0, "anywhere": 0.35, "written": 0.3, "articles": 0.33, "korquad": 0.04, "realtimeqa": 0.5, "pooled": 0.5}
"""How much a sentence counts against the penalty, divided by the square root of the number of its question's."""
TRUST_OF_OTHERS, TRUST_OF_BEST = 0.67, 1.0
SILENT = 0.6
WRONG = {"ko": 0.03, "en": 0.06}
PAGES = {"ko": (korquad,), "en": (realtimeqa, pooled)}
"""By the language of the question; ``WRONG`` is of the first set of each, where a line is right that spells the answer."""
APART = OF_BEST.index("foreign")
"""By what of a question about a talk that holds apart."""
FOLDS = 6


@dataclass(frozen=True, slots=True)
class Labelled:
    """The sentences read for a question, as rows of numbers, and which of them answer."""

    kind: str
    group: str
    rows: Rows
    right: NDArray[np.bool_]
    answered: bool

    @property
    def fold(self) -> int:
        return part_of(f"fold {self.group}", FOLDS)

    @property
    def trust(self) -> NDArray[np.float64]:
        return np.full(len(self.right), TRUST.get(self.kind, TRUST_OF_OTHERS) / np.sqrt(len(self.right)))


def learn(embedder: Embedder, parts: Container[str]) -> dict[str, Any]:
    """Return what ``data/reader.json`` holds of these *parts*."""
    learnt: dict[str, Any] = {}
    for by, model in {"words": KiwiEmbedder(), "meaning": embedder}.items():
        meant = model is embedder
        for kind in (TALK, MOMENT):
            if kind in parts:
                read = [each for each in talks(kind, model, meant=meant) if len(each.right)]
                learnt[f"{kind} {by} sentence"] = fit_sentences(read, meant=meant).named(NAMES)
                learnt[f"{kind} {by} best"] = fit_best(read, meant=meant).named(OF_BEST)
        for language, recorded in PAGES.items() if "pages" in parts else ():
            read = list(pages(language, model, meant=meant))
            best = best_of_pages([each for each in read if each.kind == recorded[0].__name__], read, meant=meant)
            learnt[f"pages {language} {by} sentence"] = fit_sentences(read, meant=meant, unused=OF_TALKS).named(NAMES)
            learnt[f"pages {language} {by} best"] = {"bias": -least_odds(best, WRONG[language]), "odds": 1.0}
    return learnt


def learn_together(kind: str, scorer: QuestionScorer, answers: ReadAnswers) -> dict[str, float]:
    """Return how much the odds of *answers* count in talks of a *kind*, learnt from questions that the model has not seen.

    How much it counts for a sentence is learnt of all. Whether anything answers is learnt without the written talks, in which
    what speaks for a sentence tells nothing of that. As many of all questions without an answer stay silent as before.
    """
    rows, right, trust, best, answered, of_written = [], [], [], [], [], []
    for each in (*asked_of(at_moment=kind == MOMENT), *(written() if kind == TALK else ())):
        if each.kept_aside or is_taught(each.group):
            continue
        parsed = parse(each, scorer)
        talk = None if parsed.whole else read_passages(parsed, choose_passages(parsed, each.video, scorer), scorer)
        odds = None if talk is None else read_together(talk.reading, asked_question(parsed), answers)
        if talk is None or odds is None or talk.reading.answered == -np.inf:  # no sentence has the amount asked for
            continue
        telling = talk.reading.odds > -np.inf
        rows.append(np.column_stack([talk.reading.odds, odds])[telling])
        right.append(flags(each.right_among(talk.quotes), len(odds))[telling])
        trust.append(np.full(int(telling.sum()), TRUST_OF_OTHERS / np.sqrt(telling.sum())))
        best.append((talk.reading.answered, float(odds.max())))
        answered.append(each.answered)
        of_written.append(each.kind == "written")
    sentence = fit_scaled(np.vstack(rows), np.concatenate(right), np.concatenate(trust)).weights
    whole, is_answered, others = np.array(best), np.array(answered), ~np.array(of_written)
    weights = fit_scaled(whole[others], is_answered[others], np.ones(int(others.sum()))).weights
    count = float(weights[1] / weights[0])
    bias = -float(np.quantile((whole @ np.array([1.0, count]))[~is_answered], (whole[~is_answered, 0] < 0).mean()))
    return {"sentence": round(float(sentence[1] / sentence[0]), 3), "best": round(count, 3), "bias": round(bias, 3)}


def flags(places: Sequence[int], count: int) -> NDArray[np.bool_]:
    """Return *count* flags, True at these *places*."""
    return np.isin(np.arange(count), places)


def talks(kind: str, embedder: Embedder, *, meant: bool) -> Iterator[Labelled]:
    """Yield the questions of a *kind* that are learnt from, with what is read for each."""
    scorer = question_scorer(embedder)
    made = (each for each in written_at_moments() if not each.kept_aside)
    for each in (*asked_of(at_moment=kind == MOMENT), *(made if kind == MOMENT else ())):
        if (labelled := label_talk(each, scorer, meant=meant)) is not None:
            yield labelled


def label_talk(each: AskedTalk | ViewerAsked, scorer: QuestionScorer, *, meant: bool) -> Labelled | None:
    """Return the labelled sentences of a talk for one question; None if it asks about the whole talk."""
    parsed = parse(each, scorer)
    if parsed.whole:
        return None
    sentences, said = said_in(parsed, choose_passages(parsed, each.video, scorer), scorer.ends)
    right = flags(each.right_among(sentences), len(sentences))
    telling = np.array([not is_question(sentence.text) for sentence in sentences], dtype=bool)
    places = telling if telling.any() else ~telling
    rows = read_rows_of(asked_question(parsed), said, (), scorer.embedder if meant else None, spoken=True)
    return Labelled(each.kind, each.group, rows[places], right[places], each.answered)


def read_rows_of(
    question: AskedQuestion, said: Sequence[Said], heads: Sequence[str], embedder: Embedder | None, *, spoken: bool
) -> Rows:
    """Return the rows of *said*, with what *embedder* makes of them."""
    rows = read_sentences(question, said, heads, spoken=spoken)
    if embedder is None or not said:
        return rows
    return with_meaning(rows, said, *nearness(question, said, heads, range(len(said)), embedder, spoken=spoken))


def pages(language: str, embedder: Embedder, *, meant: bool) -> Iterator[Labelled]:
    """Yield the questions of a *language* about pages that are learnt from, with what is read for each."""
    for recorded_in in PAGES[language]:
        for recorded in recorded_in():
            if recorded.learnt_from:
                yield label_pages(recorded, recorded_in.__name__, embedder, meant=meant)


def label_pages(recorded: Recorded, kind: str, embedder: Embedder, *, meant: bool) -> Labelled:
    """Return the labelled sentences of the results for one question."""
    results = searched(recorded, embedder).results
    question = AskedQuestion(recorded.text)
    excerpts, said, heads = read_results(results)
    rows = read_rows_of(question, said, heads, embedder if meant else None, spoken=False)
    places = np.array([may_answer(question, each, results[each.row]) for each in excerpts], dtype=bool)
    right = np.array([recorded.is_spelt_in(each.text) for each in excerpts], dtype=bool)
    return Labelled(kind, recorded.group, rows[places], right[places], bool(right[places].any()))


def fit_sentences(read: Sequence[Labelled], *, meant: bool, unused: Sequence[str] = OF_PAGES) -> Fitted:
    """Return the weights that tell sentences that answer from others."""
    rows, right = np.vstack([one.rows for one in read]), np.concatenate([one.right for one in read])
    used = np.array([(meant or name not in OF_MEANING) and name not in unused for name in NAMES])
    return fit_scaled(rows, right, np.concatenate([one.trust for one in read]), used)


def odds_apart(asked: Sequence[Labelled], read: Sequence[Labelled], **how: Any) -> list[NDArray[np.float64]]:
    """Return the odds of the sentences of each *asked*, by weights learnt without its fold."""
    learnt = [fit_sentences([one for one in read if one.fold != fold], **how) for fold in range(FOLDS)]
    return [learnt[one.fold].odds(one.rows) for one in asked]


def best_of_pages(asked: Sequence[Labelled], read: Sequence[Labelled], *, meant: bool) -> list[tuple[float, bool]]:
    """Return for each *asked* the odds of its best sentence, by weights learnt without it, and whether that is right."""
    return [
        (float(odds.max(initial=-np.inf)), bool(len(odds) and one.right[odds.argmax()]))
        for one, odds in zip(asked, odds_apart(asked, read, meant=meant, unused=OF_TALKS), strict=True)
    ]


def fit_best(read: Sequence[Labelled], *, meant: bool) -> Fitted:
    """Return the weights that tell from its best sentence whether a talk answers."""
    asked = [one for one in read if one.kind != "written"]
    rows = np.vstack([of_best(one.rows, odds) for one, odds in zip(asked, odds_apart(asked, read, meant=meant), strict=True)])
    answered = np.array([one.answered for one in asked])
    odds = odds_by_folds(rows, answered, TRUST_OF_BEST, np.array([one.fold for one in asked]), fit_scaled)
    fitted = fit_scaled(rows, answered, TRUST_OF_BEST)
    off = [float(np.quantile(odds[here & ~answered], SILENT)) for here in (rows[:, APART] < 0.5, rows[:, APART] >= 0.5)]
    weights = fitted.weights.copy()
    weights[APART] -= off[1] - off[0]
    return Fitted(weights, fitted.bias - off[0])


def least_odds(best: Sequence[tuple[float, bool]], wrong: float) -> float:
    """Return the least odds for a line to be shown, so that at most a share *wrong* of all lines is wrong."""
    allowed, least = wrong * len(best), np.inf
    for odds, right in sorted(best, reverse=True):
        allowed -= not right
        if allowed < 0:
            break
        least = odds
    return round(float(least), 3)


def main() -> None:
    """Learn and write all, or the parts that are named."""
    parts = sys.argv[1:] or (TALK, MOMENT, "pages")
    with shipped_host() as host:
        embedder = host.wait(LOAD_S)
        scorer = replace(question_scorer(embedder), ends=host.sentence_end_odds)
        learnt = json.loads(TARGET.read_text(encoding="utf-8")) | learn(embedder, parts)
        write_weights(TARGET, learnt)
        read_weights.cache_clear()
        reader.shipped_weights.cache_clear()
        for kind in (TALK, MOMENT):
            if kind in parts or "together" in parts:
                learnt[f"{kind} together"] = learn_together(kind, scorer, host.answer_odds)
        write_weights(TARGET, learnt)


if __name__ == "__main__":
    main()
