"""How well a sentence, with its neighbours, answers a question, and whether any of several does.

A logistic regression over readable features (``reading``) scores each sentence; a second one decides whether the best sentence
answers, on pages by its odds alone. Talks, talks asked about at a moment, and pages for Korean and for English questions have
weights of their own, with and without a model of meaning. In talks a trained model then reads the likeliest sentences together
with the question, and its odds are combined with these. All weights are learnt by ``tests/quality/learn_reader.py``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from search_core.answers.reading import NAMES, AskedQuestion, Rows, Said, read_sentences, said_before, with_meaning
from search_core.answers.regression import Regression, read_weights
from search_core.errors import EmbeddingError
from search_core.language.korean import has_hangul
from search_core.language.sentences import sentences_of
from search_core.language.statements.proposition import is_table
from search_core.language.vectors import Embedder
from search_core.models.embedding.model_embedder import Placed
from search_core.search.ranking.meaning import nearness_to

logger = logging.getLogger(__name__)

MAX_SENTENCES = 400
"""Most sentences of a page that are read for an excerpt."""
MAX_EMBEDDED = 60
"""Most sentences that are embedded, the best by words: each costs some milliseconds."""
_OF_ROW = ("near", "supported", "measure", "telling cover", "unsaid", "asked in Korean", "foreign", "foreign near", "names")
OF_BEST = (
    "odds",
    "best bearing",
    *(name for name in NAMES if name in _OF_ROW or name.startswith(("asks for", "holds", "moment"))),
)
"""The features that decide whether the best sentence answers."""
_PLACES = [NAMES.index(name) for name in OF_BEST[2:]]
_EMBEDDED_OF_ALL, _LEAST_EMBEDDED = 120, 8
"""Most sentences embedded of all pages together (most of a second if no vector is stored), and least of each page."""
READ_TOGETHER = 24
"""Sentences of a talk that are read together with the question. Of 737 questions about talks that have an answer, the sentence
that gives it is among them for all but two."""
TALK, MOMENT = "talk", "moment"
"""Names of the weights for talks, and for talks asked about at a moment."""
_BEHIND = 6.0
"""Log odds taken off a sentence without the kind of amount asked for ("몇 명": people). Of 172 questions about written talks that
ask for one, 163 are answered by a sentence with such an amount; of all sentences three in ten have one."""
_UNREAD = 1.0
"""Log odds by which sentences that the model did not read are ranked below those that it read."""


@dataclass(frozen=True, slots=True)
class AnswerRegressions:
    """Two regressions: the odds that a sentence answers, and that the best one does."""

    sentence: Regression
    best: Regression


ReadAnswers = Callable[[str, Sequence[Placed]], Rows | None]
"""Returns the log odds that each sentence answers a question, as a model reads the two together; None where none is ready."""


@cache
def shipped_weights() -> Mapping[tuple[str, bool], AnswerRegressions]:
    """Return the shipped weights, by source, language of the question, and whether meaning is read."""
    stored = read_weights("reader")
    return {
        (kind, by_meaning): AnswerRegressions(
            Regression.of(stored[f"{kind} {by} sentence"], NAMES), Regression.of(stored[f"{kind} {by} best"], OF_BEST)
        )
        for kind in (TALK, MOMENT, "pages ko", "pages en")
        for by_meaning, by in ((True, "meaning"), (False, "words"))
    }


@dataclass(frozen=True, slots=True)
class Reading:
    """Sentences scored for a question."""

    said: Sequence[Said]
    rows: Rows
    odds: Rows
    """The log odds that each sentence answers; those without the amount asked for come last."""
    weighed: str
    """The name of the weights."""
    answered: float
    """The log odds that the likeliest sentence answers."""

    @property
    def likely(self) -> Rows:
        """Return the probability that each sentence answers, in [0, 1]."""
        return np.asarray(1 / (1 + np.exp(-self.odds)), dtype=np.float64)

    @property
    def order(self) -> list[int]:
        """Return the places of the sentences, the likeliest first; earlier ones win ties."""
        return [int(place) for place in np.argsort(-self.odds, kind="stable")]


def read(
    question: AskedQuestion,
    said: Sequence[Said],
    embedder: Embedder | None,
    *,
    spoken: bool,
    heads: Sequence[str] = (),
    left_out: Sequence[bool] = (),
    at_most: int = MAX_EMBEDDED,
) -> Reading:
    """Return how well *said* answers *question*; *heads* are the sources' titles, sentences *left_out* answer nothing.

    *spoken* tells sentences of a talk from those of pages. *embedder*, which works across languages, reads at most *at_most*
    sentences, the best by words. Without an embedder, or if it fails, words decide.
    """
    rows = read_sentences(question, said, heads, spoken=spoken)
    lacking = np.array([not question.may_be_answered_by(sentence.text) for sentence in said], dtype=bool)
    of_talk = MOMENT if any(sentence.moment for sentence in said) else TALK
    weighed = of_talk if spoken else "pages ko" if has_hangul(question.text) else "pages en"
    weights = shipped_weights()
    alone = weights[weighed, False]
    odds = without(alone.sentence.odds(rows), left_out) - _BEHIND * lacking
    if not said or embedder is None:
        return Reading(said, rows, odds, weighed, _answered(alone, rows, odds, lacking))
    best = sorted(np.argsort(-odds, kind="stable")[:at_most].tolist())
    try:
        near_rows = nearness(question, said, heads, best, embedder, spoken=spoken)
    except EmbeddingError as error:
        logger.warning("Sentences are chosen by words: %s", error)
        return Reading(said, rows, odds, weighed, _answered(alone, rows, odds, lacking))
    near = np.repeat(near_rows.min(axis=1, keepdims=True), len(said), axis=1)
    near[:, best] = near_rows
    regressions = weights[weighed, True]
    rows = with_meaning(rows, said, *near)
    near_rows = regressions.sentence.odds(rows)
    unread = np.ones(len(said), dtype=bool)
    unread[best] = False
    near_rows[unread] = np.minimum(near_rows[unread], near_rows[best].min() - _UNREAD)
    odds = without(near_rows, left_out) - _BEHIND * lacking
    return Reading(said, rows, odds, weighed, _answered(regressions, rows, odds, lacking))


def read_together(reading: Reading, question: AskedQuestion, answers: ReadAnswers) -> Rows | None:
    """Return the log odds from *answers* for the likeliest sentences of a talk, and the least of these for the others.

    None if *answers* returns None.
    """
    sentences = reading.said
    first = [place for place in reading.order[:READ_TOGETHER] if reading.odds[place] > -np.inf]
    likely_odds = (
        answers(question.text, [Placed(said_before(sentences, place), sentences[place].text) for place in first])
        if first
        else None
    )
    if likely_odds is None:
        return None
    odds = np.full(len(sentences), likely_odds.min())
    odds[first] = likely_odds
    return odds


def weigh_together(reading: Reading, odds: Rows) -> Reading:
    """Return *reading* with the *odds* from reading its sentences together with the question."""
    weights = read_weights("reader")[f"{reading.weighed} together"]
    answered = reading.answered + weights["best"] * float(odds.max()) + weights["bias"]
    return replace(reading, odds=reading.odds + weights["sentence"] * odds, answered=answered)


def order_sentences(sentences: Sequence[str], about: str, embedder: Embedder | None, *, at_most: int = MAX_EMBEDDED) -> list[int]:
    """Return the positions of a page's *sentences*, those that answer best first.

    *embedder* reads only sentences in another language, the best *at_most* by words. In the same language, sentences without a
    common word come last.
    """
    foreign = has_hangul(" ".join(sentences)) != has_hangul(about)
    statements = [Said(sentence) for sentence in sentences]
    reading = read(AskedQuestion(about), statements, embedder if foreign else None, spoken=False, at_most=at_most)
    shares = reading.rows[:, NAMES.index("cover")] > 0
    return sorted(reading.order, key=lambda place: not (foreign or shares[place]))


def excerpt(
    text: str,
    about: str,
    most: int,
    embedder: Embedder | None = None,
    *,
    looked_at: int = MAX_SENTENCES,
    at_most: int = MAX_EMBEDDED,
    quoted: Collection[str] = (),
) -> str:
    """Return *text* if it has at most *most* characters, else the sentences that best answer *about*, in order.

    Only the first *looked_at* sentences count, and *quoted* ones are included first. *embedder* reads *at_most* of a foreign
    text.
    """
    if len(text) <= most:
        return text
    sentences = tuple(sentence for sentence in sentences_of(text, looked_at) if not is_table(sentence)) or (text,)
    # A sentence that is longer than the excerpt is at best cut to it, so no more of it is analysed.
    bearing = order_sentences([sentence[:most] for sentence in sentences], about, embedder, at_most=at_most)
    order = sorted(bearing, key=lambda place: sentences[place] not in quoted)
    chosen: list[int] = []
    left = most
    for place in order:
        if len(sentences[place]) < left:
            chosen.append(place)
            left -= len(sentences[place]) + 1
    return "\n".join(sentences[place] for place in sorted(chosen)) or sentences[order[0]][:most]


def embedded_of_each(pages: int) -> int:
    """Return how many sentences of each page are embedded if there are *pages* pages."""
    return max(_LEAST_EMBEDDED, _EMBEDDED_OF_ALL // max(1, pages))


def without(odds: Rows, left_out: Sequence[bool]) -> Rows:
    """Return *odds* with minus infinity for those *left_out*."""
    return np.where(np.array(left_out, dtype=bool), -np.inf, odds) if left_out else odds


def of_best(rows: Rows, odds: Rows) -> Rows:
    """Return the features ``OF_BEST`` of the sentence with the highest *odds*."""
    first = int(odds.argmax())
    bearing = rows[:, NAMES.index("bearing")].max()
    return np.array([odds[first], bearing, *rows[first, _PLACES]], dtype=np.float64)


def nearness(
    question: AskedQuestion,
    said: Sequence[Said],
    heads: Sequence[str],
    places: Sequence[int],
    embedder: Embedder,
    *,
    spoken: bool,
) -> Rows:
    """Return how near *said* at *places* are to *question* in meaning, each read together with its heading or what precedes it.

    The second row has the nearness of each sentence alone, computed only if *spoken*. Raises EmbeddingError.
    """
    texts = []
    for place in places:
        sentence = said[place]
        before = f"{heads[sentence.source]}\n" if heads else f"{said_before(said, place)} "
        texts.append(f"{before}{sentence.text}".strip())
    alone = [said[place].text for place in places] if spoken else []
    rows = np.asarray(nearness_to(question.understood, [*texts, *alone], embedder), dtype=np.float64)
    return np.array([rows[: len(texts)], rows[-len(texts) :]])


def _answered(weights: AnswerRegressions, rows: Rows, odds: Rows, lacking: NDArray[np.bool_]) -> float:
    if not len(odds) or lacking[odds.argmax()]:
        return -np.inf
    return float(weights.best.odds(of_best(rows, odds)))
