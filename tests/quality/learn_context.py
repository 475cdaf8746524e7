"""Learns what a question leaves to its video: ``python -m tests.quality.learn_context``.

Writes ``search_core/video/data/subject.json`` and ``search_core/search/understanding/data/context.json``, learnt from the videos
of ``viewer_sets`` that are not kept aside:

``standing alone``, by logistic regression over viewers' questions and over some of MIRACL's and SQuARe's asked beside the videos.
The subject, ``words`` and ``antecedents``, by a softmax over the terms of a video, what may go into a query, or may be meant by a
pointing word: that the chosen one is among the right ones (the listwise loss of ListNet, Cao et al. 2007).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax

from search_core.domain.query import QuestionTerm
from search_core.language.korean import morphemes
from search_core.language.korean.content import content_terms
from search_core.language.vectors import Embedder
from search_core.search.understanding import QueryIntentAnalyzer, context, validate_question
from search_core.search.understanding.context import NEAR, candidates, centre_of, read_question
from search_core.search.understanding.phrases import holds
from search_core.search.understanding.references import outer_references
from search_core.search.understanding.resolution import Resolver, full_name
from search_core.search.understanding.things import Candidate
from search_core.search.understanding.transcript_index import TranscriptIndex
from search_core.video import subject
from search_core.video.discovery import video_terms
from search_core.video.subject import JUDGED, nearness_to
from tests.quality.learning import Matrix, fit_scaled, write_weights
from tests.quality.scorers import finding_subjects
from tests.quality.sets import loaders
from tests.quality.viewer_sets import (
    is_any,
    is_kept_aside,
    join_words,
    names_any,
    read_video,
    video_of,
    viewer_questions,
    viewer_references,
    viewer_subjects,
)

SUBJECT = Path(subject.__file__).parent / "data" / "subject.json"
TARGET = Path(context.__file__).parent / "data" / "context.json"
OF_SETS, LONGEST = 400, 200
"""Questions of MIRACL, and of SQuARe; characters of one."""
SEED = 1
TRUST = 0.3
"""How much a question counts against the penalty of logistic regression; found, as what follows, by folds of the videos."""
OPEN, OWN, SET = 0.6, 4.0, 0.8
"""How much one counts that leaves something to the video, one of a viewer that does not, and one of the sets."""
AT_MOMENT, ELSEWHERE = 1.0, 0.6
"""How much the words of a question asked at a moment count, and those of others and of subjects."""
PENALTY, SUBJECT_PENALTY = 0.003, 0.01
FIRST_GUESS = {"often": 1.0, "telling": 3.0, "title": 2.0}
"""By which the terms are found that the weights are learnt from."""
_LEAST_SPREAD = 1e-3
ANALYZER = QueryIntentAnalyzer()


class Choice(NamedTuple):
    """Things of which some are right."""

    read: list[Candidate]
    right: list[bool]
    counts: float = 1.0


def main() -> None:
    """Learn and write; the subject first, for the others look at it."""
    with finding_subjects() as embedder:
        if embedder is None:
            raise SystemExit("Nothing is learnt: the weights by meaning need the model that ships.")
        learn_subject(embedder)
        learnt = {
            **learn_standing_alone(),
            "words": choose(list(words())),
            "antecedents": choose(list(antecedents())),
        }
    write_weights(TARGET, learnt)


def learn_subject(embedder: Embedder | None) -> None:
    """Learn how the terms of a video are ranked by their words, then how those that come first are by meaning as well."""
    learnt: dict[str, Any] = {"by words": FIRST_GUESS, "by words and meaning": {}}
    _use(learnt)
    for name, judge in (("by words", None), ("by words and meaning", embedder)):
        learnt[name] = choose(list(subjects(judge)), SUBJECT_PENALTY)["weights"]
        _use(learnt)


def _use(learnt: dict[str, Any]) -> None:
    write_weights(SUBJECT, learnt)
    subject.read_weights.cache_clear()


def subjects(embedder: Embedder | None) -> Iterator[Choice]:
    """Yield the terms of whole videos and talks, with their titles and without."""
    for each in viewer_subjects():
        if not is_kept_aside(each.video) and each.moment_s is None:
            for titled in (True, False):
                terms = video_terms(read_video(each.video, titled=titled), embedder)[:JUDGED]
                found = [Candidate(term.text, dict(term.read)) for term in terms]
                yield Choice(found, [names_any(term.text, each.subject) for term in terms])


def learn_standing_alone() -> dict[str, Any]:
    """Return the weights by which a question is taken to stand alone, by its words and by its words and meaning."""
    asked = [(row.video, row.question, row.own, OWN if row.own else OPEN) for row in viewer_questions()]
    videos = sorted({video for video, *_ in asked if not is_kept_aside(video)})
    load, rng = loaders(), random.Random(SEED)
    sets = (load.miracl_mrtydi_queries("dev"), load.square_questions("dev"))
    texts = [text for rows in sets for text in rng.sample([row["text"] for row in rows], OF_SETS)]
    asked += [(video, text[:LONGEST], True, SET) for place, video in enumerate(videos) for text in texts[place :: len(videos)]]
    rows, near, right, trust = [], [], [], []
    for video, text, own, counts in asked:
        question = validate_question(text)
        analysed, terms = morphemes(question), content_terms(question)
        if not is_kept_aside(video) and terms and not outer_references(question, analysed, terms):
            rows.append(read_question(question, analysed, terms, index_of(video)))
            near.append(nearness_to(video_of(video), question))
            right.append(own)
            trust.append(TRUST * counts)
    by_words = np.array([list(row.values()) for row in rows], dtype=np.float64)
    by_meaning = np.column_stack((by_words, np.array(near, dtype=np.float64)))
    names, learnt = [*rows[0], NEAR], {}
    for decision, read in (("standing alone", by_words), ("standing alone, by meaning", by_meaning)):
        found = fit_scaled(read, np.array(right), np.array(trust))
        learnt[decision] = _stored(names[: read.shape[1]], found.weights, found.bias)
    return learnt


def words() -> Iterator[Choice]:
    """Yield the terms of videos that may go into the queries of questions and of subjects."""
    for row in viewer_questions():
        missing = [alternatives for alternatives in row.names if not names_any(row.question, alternatives)]
        if not is_kept_aside(row.video) and not row.own and missing:
            index, terms = index_of(row.video), content_terms(row.question)
            counts = ELSEWHERE if row.moment_s is None else AT_MOMENT
            yield from _words_at(index, centre_of(terms, index, row.moment_s), missing[0], terms, counts)
    for each in viewer_subjects():
        if not is_kept_aside(each.video) and each.moment_s is not None:
            for titled in (True, False):
                index = index_of(each.video, titled=titled)
                yield from _words_at(index, index.position_at(each.moment_s), each.subject, (), ELSEWHERE)


def _words_at(
    index: TranscriptIndex, centre: int | None, wanted: Sequence[str], terms: Sequence[QuestionTerm], counts: float
) -> Iterator[Choice]:
    if centre is not None:
        said = " ".join(term.text for term in terms)
        found = [each for each in candidates(index, centre, terms) if not holds(said, each.text)]
        right = [names_any(each.text, wanted) for each in found]
        if not any(right):
            parts = [part for each in wanted for part in (each, *each.split()) if len(part) > 1]
            right = [is_any(each.text, parts) for each in found]
        yield Choice(found, right, counts)


def antecedents() -> Iterator[Choice]:
    """Yield what the pointing words of questions may mean."""
    for row in viewer_references():
        if is_kept_aside(row.video):
            continue
        index, wanted = index_of(row.video), join_words(row.reference)
        intent = ANALYZER.analyze_intent(row.question, index.video, moment_s=row.moment_s)
        same = [each for each in intent.references if join_words(each.text) in wanted or wanted in join_words(each.text)]
        for reference in (*same, *intent.references)[:1]:
            found = Resolver(intent, None, index.video).antecedents(reference)
            if found:
                yield Choice(found, [is_any(full_name(index.text, each.text), row.meaning) for each in found])


def choose(choices: Sequence[Choice], penalty: float = PENALTY) -> dict[str, Any]:
    """Return the weights by which the right things of *choices* are chosen."""
    told = [each for each in choices if any(each.right) and not all(each.right)]
    names = sorted({name for each in choices for thing in each.read for name in thing.read})
    tables = [np.array([[thing.read.get(name, 0.0) for name in names] for thing in each.read]) for each in told]
    spread = np.concatenate(tables).std(axis=0) + _LEAST_SPREAD
    data = [(table / spread, np.array(each.right), each.counts / len(told)) for table, each in zip(tables, told, strict=True)]

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        value, slope = penalty * weights @ weights, 2 * penalty * weights
        for rows, right, counts in data:
            odds = rows @ weights
            value += counts * (logsumexp(odds) - logsumexp(odds[right]))
            slope += counts * (softmax(odds) @ rows - softmax(odds[right]) @ rows[right])
        return float(value), slope

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return _stored(names, found.x / spread, 0.0)


def _stored(names: Sequence[str], weights: Matrix, bias: float) -> dict[str, Any]:
    return {"bias": round(bias, 3), "weights": {name: round(float(each), 3) for name, each in zip(names, weights, strict=True)}}


@cache
def index_of(video: str, *, titled: bool | None = None) -> TranscriptIndex:
    """Return the index of a video, which stays."""
    return TranscriptIndex(video_of(video, titled=titled))


if __name__ == "__main__":
    main()
