"""The answer line of a search: the sentence of a shown result that answers the question, as the result says it, or none.

Excerpts of the results are weighed by logistic regression over readable features (``answer_features``). The weights and the least
probability that makes a line were learnt, Korean and English questions apart, with a model of meaning and without; see
``tests/quality/learn_answer_line.py``.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

from search_core.answers.answer_features import (
    NAMES,
    AskedQuestion,
    Columns,
    Excerpt,
    Regression,
    Rows,
    excerpts_of,
    read_columns,
    rows_of,
)
from search_core.answers.asked_values import asks_for_answer
from search_core.domain import AnswerLine, SearchReport, SearchResult
from search_core.embedding import Embedder
from search_core.errors import EmbeddingError
from search_core.ranking import RelevanceFilter
from search_core.ranking.meaning import nearness_to
from search_core.search.pipeline import understood
from search_core.text.korean import has_hangul

__all__ = ["AnswerLine", "Candidates", "find_answer_line", "weigh"]

logger = logging.getLogger(__name__)

MAX_EMBEDDED = 40
"""Excerpts whose meaning is read, the best by words: each costs some milliseconds."""


@dataclass(frozen=True, slots=True)
class Weights(Regression):
    """What each feature adds to the log odds that an excerpt answers, and the probability from which on it is shown."""

    least: float

    def probabilities(self, rows: Rows) -> Rows:
        """Return how likely each of *rows* answers."""
        return np.asarray(1 / (1 + np.exp(-self.odds(rows))), dtype=np.float64)


@cache
def shipped_weights() -> dict[str, Weights]:
    """Return the weights that ship: ``ko`` and ``en``, each ``alone`` and ``with meaning``."""
    stored = json.loads(resources.files(__package__).joinpath("data/answer_line.json").read_text(encoding="utf-8"))
    return {
        name: Weights(np.array([one["weights"].get(feature, 0.0) for feature in NAMES]), one["bias"], one["least"])
        for name, one in stored.items()
    }


@dataclass(frozen=True, slots=True)
class Candidates:
    """Excerpts of results that may answer a question, and what speaks for each."""

    excerpts: tuple[Excerpt, ...]
    columns: Columns
    rows: Rows

    @classmethod
    def of(cls, question: AskedQuestion, results: Sequence[SearchResult]) -> Candidates:
        """Return what the words of *results* say."""
        excerpts = tuple(excerpts_of(results))
        if not excerpts:
            return cls((), {}, np.zeros((0, len(NAMES))))
        columns = read_columns(question, results, excerpts)
        return cls(excerpts, columns, rows_of(columns))

    def with_meaning(
        self, question: AskedQuestion, results: Sequence[SearchResult], best: Sequence[int], embedder: Embedder
    ) -> Candidates:
        """Return the *best* of these with what they mean to *embedder*; raises EmbeddingError."""
        excerpts = [self.excerpts[place] for place in best]
        texts = [each.text if each.title else f"{results[each.row].title}\n{each.text}" for each in excerpts]
        near = nearness_to(question.understood, texts, embedder)
        columns = {name: column[best] for name, column in self.columns.items()}
        return Candidates(tuple(excerpts), columns, rows_of(columns, [*map(float, near)]))


def find_answer_line(report: SearchReport, relevance: RelevanceFilter) -> AnswerLine | None:
    """Return the line over the results of *report*; None where nothing is asked, or no shown result surely answers.

    *relevance* has the embedder that is ready: one that sees no meaning across languages, or fails, leaves it to words.
    """
    text = report.question.text
    if not report.results or not asks_for_answer(text):
        return None
    question = AskedQuestion(text, understood(report))
    candidates, weights = weigh(question, report.results, relevance)
    if not candidates.excerpts:
        return None
    probabilities = weights.probabilities(candidates.rows)
    best = int(probabilities.argmax())
    if probabilities[best] < weights.least:
        return None
    return _line(candidates.excerpts[best], report.results)


def weigh(question: AskedQuestion, results: Sequence[SearchResult], relevance: RelevanceFilter) -> tuple[Candidates, Weights]:
    """Return what may answer *question*, and the weights that say how likely each does."""
    language = "ko" if has_hangul(question.text) else "en"
    candidates, alone = Candidates.of(question, results), shipped_weights()[f"{language} alone"]
    if not relevance.across_languages or not candidates.excerpts:
        return candidates, alone
    best = np.argsort(-alone.probabilities(candidates.rows), kind="stable")[:MAX_EMBEDDED].tolist()
    try:
        meant = candidates.with_meaning(question, results, best, relevance.embedder)
    except EmbeddingError as error:
        logger.warning("The answer line is chosen by words: %s", error)
        return candidates, alone
    return meant, shipped_weights()[f"{language} with meaning"]


def _line(excerpt: Excerpt, results: Sequence[SearchResult]) -> AnswerLine:
    result = results[excerpt.row]
    sentence = f"{'' if excerpt.opens else '…'}{' '.join(excerpt.text.split())}{'' if excerpt.closes else '…'}"
    return AnswerLine(
        sentence=sentence,
        result=excerpt.row + 1,
        source=result.source,
        url=result.url,
        moment_s=result.moment.start_s if result.moment is not None else None,
    )
