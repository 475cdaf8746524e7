"""Learns what a question leaves to its video: ``python -m tests.quality.learn_context``.

Writes ``search_core/video/data/subject.json`` and ``search_core/search/understanding/data/context.json``, learnt from the videos
of ``viewer_sets`` that are not kept aside:

``standing alone``, by logistic regression over viewers' questions and over some of MIRACL's and SQuARe's asked beside the videos.
The subject, ``words`` and ``antecedents``, by a softmax over the terms of a video, what may go into a query, or may be meant by a
pointing word: that the chosen one is among the right ones (the listwise loss of ListNet, Cao et al. 2007).

What the shipped model reads (``unsaid``) has learnt from the same questions: how much it counts beside the rest is set on those
of ``asked_at_moments`` about videos that are kept aside, on which nothing else is.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax

from search_core.domain.query import QuestionTerm, Reference
from search_core.language.korean import morphemes
from search_core.language.korean.content import content_terms
from search_core.language.vectors import Embedder
from search_core.search.understanding import context
from search_core.search.understanding.context import candidates, centre_of, read_question
from search_core.search.understanding.phrases import holds
from search_core.search.understanding.question import QueryIntentAnalyzer, validate_question
from search_core.search.understanding.references import outer_references
from search_core.search.understanding.resolution import Resolver
from search_core.search.understanding.things import Thing
from search_core.search.understanding.transcript_index import TranscriptIndex
from search_core.video import subject
from search_core.video.discovery import video_terms
from search_core.video.subject import JUDGED, Term
from tests.quality.learning import Matrix, fit_scaled, write_weights
from tests.quality.scorers import finding_subjects
from tests.quality.sets import loaders
from tests.quality.viewer_sets import (
    MomentQuestion,
    ViewerQuestion,
    ViewerReference,
    ViewerSubject,
    asked_at_moments,
    is_any,
    is_kept_aside,
    is_written,
    names_any,
    read_video,
    video_of,
    viewer_questions,
    viewer_references,
    viewer_subjects,
)

SUBJECT = Path(subject.__file__).parent / "data" / "subject.json"
TARGET = Path(context.__file__).parent / "data" / "context.json"
OF_MOMENTS = 4
"""Of so many questions at moments of real videos one is learnt from, for whether it stands alone."""
OF_SETS, LONGEST = 400, 200
"""Questions of MIRACL, and of SQuARe; characters of one."""
SEED = 1
TRUST = 0.3
"""How much a question counts against the penalty of logistic regression; found, as what follows, by folds of the videos."""
OPEN, OWN, SET = 0.6, 4.0, 0.8
"""How much one counts that leaves something to the video, one of a viewer that does not, and one of the sets."""
AT_MOMENT, ELSEWHERE = 1.0, 0.6
"""How much the words of a question asked at a moment count, and those of others and of subjects."""
OF_TALKS = 0.12
"""How much the subject of a short talk counts, of which there are eight times as many as of videos."""
PENALTY, SUBJECT_PENALTY = 0.003, 0.01
OF_READING = {
    "standing alone": {"nothing unsaid": 0.7},
    "words": {"unsaid": 1.5},
    "antecedents": {"unsaid": 1.5, "unsaid, if described": 1.0},
}
"""Weights of what the shipped model reads, set on videos that it has not learnt from."""
OFTENER = 1.15
"""How much likelier, in log odds, a question stands alone than among those learnt from, which were written to leave something."""
FIRST_GUESS = {"often": 1.0, "telling": 3.0, "title": 2.0}
"""By which the terms are found that the weights are learnt from."""
_LEAST_SPREAD = 1e-3
ANALYZER = QueryIntentAnalyzer()
Row = TypeVar("Row", MomentQuestion, ViewerQuestion, ViewerReference, ViewerSubject)


class Choice(NamedTuple):
    """Candidates of which some are right."""

    candidates: Sequence[Thing | Term]
    right: list[bool]
    counts: float = 1.0


def main() -> None:
    """Learn and write both files; the subject first, for the rest uses it."""
    with finding_subjects(reading=False) as embedder:
        if embedder is None:
            raise SystemExit("Nothing is learnt: the weights by meaning need the model that ships.")
        learn_subject(embedder)
        real = [each for each in to_learn(asked_at_moments()) if not is_written(each.video)]
        of_moments = [as_question(each) for each in real[::OF_MOMENTS] if not each.reference]
        questions = to_learn(viewer_questions())
        learnt = {
            "standing alone": learn_standing_alone([*questions, *of_moments]),
            "words": choose([*words(questions), *words_of_subjects()]),
            "antecedents": choose(list(antecedents(to_learn(viewer_references())))),
        }
    learnt["standing alone"]["bias"] += OFTENER
    for decision, weights in OF_READING.items():
        learnt[decision]["weights"] |= weights
    write_weights(TARGET, learnt)


def as_question(asked: MomentQuestion) -> ViewerQuestion:
    """Return *asked*, which has no pointing word, as a viewer's question."""
    return ViewerQuestion(asked.video, asked.question, tuple(map(tuple, asked.needs)), asked.moment_s, own=not asked.needs)


def learn_subject(embedder: Embedder | None) -> None:
    """Learn how terms of a video are ranked by words, then how the first of them are ranked by meaning as well."""
    learnt: dict[str, Any] = {"by words": FIRST_GUESS, "by words and meaning": {}}
    _use(learnt)
    for name, judge in (("by words", None), ("by words and meaning", embedder)):
        learnt[name] = choose(list(subjects(judge)), SUBJECT_PENALTY)["weights"]
        _use(learnt)


def _use(learnt: dict[str, Any]) -> None:
    write_weights(SUBJECT, learnt)
    subject.read_weights.cache_clear()


def to_learn(rows: Iterable[Row]) -> list[Row]:
    """Return the *rows* of videos that are not kept aside."""
    return [row for row in rows if not is_kept_aside(row.video)]


def subjects(embedder: Embedder | None) -> Iterator[Choice]:
    """Yield the terms of whole videos and talks, with their titles and without."""
    for row in to_learn(viewer_subjects()):
        for titled in (True, False) if row.moment_s is None else ():
            terms = video_terms(read_video(row.video, titled=titled), embedder)[:JUDGED]
            counts = OF_TALKS if row.video.startswith("talk:") else 1.0
            yield Choice(terms, [names_any(term.text, row.subject) for term in terms], counts)


def learn_standing_alone(asked: Iterable[ViewerQuestion]) -> dict[str, Any]:
    """Return the weights by which a question is taken to stand alone."""
    questions = [(row, OWN if row.own else OPEN) for row in asked]
    videos = sorted({row.video for row, _ in questions})
    load, rng = loaders(), random.Random(SEED)
    sets = (load.miracl_mrtydi_queries("dev"), load.square_questions("dev"))
    texts = [text[:LONGEST] for rows in sets for text in rng.sample([row["text"] for row in rows], OF_SETS)]
    questions += [(ViewerQuestion(videos[at % len(videos)], text, (), own=True), SET) for at, text in enumerate(texts)]
    rows, right, trust = [], [], []
    for row, counts in questions:
        question = validate_question(row.question)
        analysed, terms = morphemes(question), content_terms(question)
        if terms and not outer_references(question, analysed, terms):
            rows.append(read_question(question, analysed, terms, index_of(row.video), row.moment_s))
            right.append(row.own)
            trust.append(TRUST * counts)
    features = np.array([list(row.values()) for row in rows], dtype=np.float64)
    fitted = fit_scaled(features, np.array(right), np.array(trust))
    return _stored([*rows[0]], fitted.weights, fitted.bias)


def words(asked: Iterable[ViewerQuestion]) -> Iterator[Choice]:
    """Yield the terms of videos that may go into the queries of questions."""
    for row in asked:
        missing = [alternatives for alternatives in row.names if not names_any(row.question, alternatives)]
        if not row.own and missing:
            index, terms = index_of(row.video), content_terms(row.question)
            counts = ELSEWHERE if row.moment_s is None else AT_MOMENT
            yield from _words_at(index, centre_of(terms, index, row.moment_s), missing[0], terms, counts)


def words_of_subjects() -> Iterator[Choice]:
    """Yield the terms of videos that may say what their stories are about."""
    for row in to_learn(viewer_subjects()):
        for titled in (True, False) if row.moment_s is not None else ():
            index = index_of(row.video, titled=titled)
            yield from _words_at(index, index.position_at(row.moment_s), row.subject, (), ELSEWHERE)


def _words_at(
    index: TranscriptIndex, centre: int | None, names: Sequence[str], terms: Sequence[QuestionTerm], counts: float
) -> Iterator[Choice]:
    if centre is None:
        return
    question = " ".join(term.text for term in terms)
    things = [thing for thing in candidates(index, centre) if not holds(question, thing.text)]
    right = [names_any(thing.text, names) for thing in things]
    if not any(right):
        parts = [part for name in names for part in (name, *name.split()) if len(part) > 1]
        right = [is_any(thing.text, parts) for thing in things]
    yield Choice(things, right, counts)


def antecedents(asked: Iterable[ViewerReference]) -> Iterator[Choice]:
    """Yield what the pointing words of questions may mean."""
    for row, resolver, reference in pointed_at(asked):
        things = resolver.antecedents(reference)
        if things:
            yield Choice(things, [is_any(thing.text, row.meaning) for thing in things])


def pointed_at(asked: Iterable[ViewerReference]) -> Iterator[tuple[ViewerReference, Resolver, Reference]]:
    """Yield the questions with pointing words, each with who resolves it and the word."""
    for row in asked:
        intent = ANALYZER.analyze_intent(row.question, video_of(row.video), moment_s=row.moment_s)
        same = [reference for reference in intent.references if is_any(reference.text, [row.reference])]
        for reference in (*same, *intent.references)[:1]:
            yield row, Resolver(intent, None, video_of(row.video)), reference


def choose(choices: Sequence[Choice], penalty: float = PENALTY) -> dict[str, Any]:
    """Return the weights that make the right candidates of *choices* likely."""
    telling = [choice for choice in choices if any(choice.right) and not all(choice.right)]
    names = sorted({name for choice in choices for thing in choice.candidates for name in thing.features})
    tables = [np.array([[thing.features.get(name, 0.0) for name in names] for thing in choice.candidates]) for choice in telling]
    spread = np.concatenate(tables).std(axis=0) + _LEAST_SPREAD

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        value, slope = penalty * weights @ weights, 2 * penalty * weights
        for table, choice in zip(tables, telling, strict=True):
            rows, counts = table / spread, choice.counts / len(telling)
            odds, right = rows @ weights, np.array(choice.right)
            value += counts * (logsumexp(odds) - logsumexp(odds[right]))
            slope += counts * (softmax(odds) @ rows - softmax(odds[right]) @ rows[right])
        return float(value), slope

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return _stored(names, best / spread, 0.0)


def _stored(names: Sequence[str], weights: Matrix, bias: float) -> dict[str, Any]:
    named = ((name, round(float(weight), 3)) for name, weight in zip(names, weights, strict=True))
    return {"bias": round(bias, 3), "weights": {name: weight for name, weight in named if weight}}


@cache
def index_of(video: str, *, titled: bool | None = None) -> TranscriptIndex:
    """Return the index of a video, made once."""
    return TranscriptIndex(video_of(video, titled=titled))


if __name__ == "__main__":
    main()
