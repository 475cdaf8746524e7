"""How well the queries of viewers' questions say what the questions leave to their video.

Of questions that leave something to it, ``names`` is the share whose query names all it has to, ``names_either_way`` the share
of which it or one of the queries asked beside it does, ``subject_named`` the share whose query names what they are about.
``own`` is the share of the others whose query has their words, nothing of the video and nothing that is asked away. ``subject``
is the share of videos and stories, with their titles and without, whose terms name what they are about, ``talk`` that of short
talks of which nothing is learnt, ``no_reporters`` the share whose terms name nobody who only tells it. ``antecedents`` is the
share of pointing words at a moment that are understood, ``pointed`` that of those whose question says in words where they are
meant.

``moment_`` stands before figures of passages up to the moment at which they are asked about, or a little further
(``viewer_moments``); each third question of a third of the passages, from which nothing is learnt.

``held_`` stands before figures of videos that nothing is learnt from, ``written_`` before those of the project's own videos of
either side, which alone are measured where there is no development data.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime

from search_core.domain.query import ConstructedQuery, PartOrigin
from search_core.domain.video import VideoContext
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.context import subject_at
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.search.understanding.transcript_index import index_of
from tests.quality.scope import Scope
from tests.quality.scorers import finding_subjects
from tests.quality.sets import share, under
from tests.quality.viewer_sets import (
    is_any,
    is_kept_aside,
    is_written,
    names_any,
    video_of,
    viewer_moments,
    viewer_questions,
    viewer_references,
    viewer_subjects,
)

NOW = datetime(2026, 11, 20, tzinfo=UTC)
ANALYZER, CONSTRUCTOR = QueryIntentAnalyzer(), QueryConstructor(now=lambda: NOW)
_EACH = 3
"""Of the questions at a moment each third one is measured."""
_OWN_ORIGINS = (PartOrigin.QUESTION, PartOrigin.DATE)
_Outcome = tuple[str, str, bool]
"""A video, the name of a figure and whether something of that video was right."""


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name, in [0, 1], higher is better."""
    outcomes_of: defaultdict[str, list[bool]] = defaultdict(list)
    with finding_subjects():
        outcomes = [*_queries(scope), *_references(scope), *_subjects(scope)]
        for name, right in _moments():
            outcomes_of[f"moment_{name}"].append(right)
    for video, name, right in outcomes:
        if scope.reads_development:
            outcomes_of[f"held_{name}" if is_kept_aside(video) else name].append(right)
        if is_written(video):
            outcomes_of[f"written_{name}"].append(right)
    return under("viewers", {name: share(right) for name, right in outcomes_of.items()})


def _query_for(question: str, video: VideoContext, moment_s: float | None) -> ConstructedQuery:
    return CONSTRUCTOR.query_for(ANALYZER.analyze_intent(question, video, moment_s=moment_s), video)


def _queries(scope: Scope) -> Iterator[_Outcome]:
    for asked in viewer_questions(scope):
        video = video_of(asked.video)
        query = _query_for(asked.question, video, asked.moment_s)
        named = [names_any(query.text, alternatives) for alternatives in asked.names]
        if asked.own:
            alone = all(part.origin in _OWN_ORIGINS for part in query.parts)
            wrong = any(word.casefold() in query.text.casefold() for word in asked.absent)
            yield asked.video, "own", all(named) and alone and not wrong
        else:
            yield asked.video, "names", all(named)
            yield asked.video, "subject_named", all(named[:1])
            ways = (query.text, *(each.text for each in query.also))
            yield asked.video, "names_either_way", any(all(names_any(way, each) for each in asked.names) for way in ways)


def _references(scope: Scope) -> Iterator[_Outcome]:
    for asked in viewer_references(scope):
        video = video_of(asked.video)
        query = _query_for(asked.question, video, asked.moment_s)
        same = [each for each in query.referents if is_any(each.reference, [asked.reference])]
        meaning = next((each.meaning for each in (*same, *query.referents)), "")
        yield asked.video, "pointed" if asked.pointed else "antecedents", bool(meaning) and is_any(meaning, asked.meaning)


def _moments() -> Iterator[tuple[str, bool]]:
    for moment in viewer_moments():
        for asked in moment.questions[::_EACH] if is_kept_aside(f"moment:{moment.name}") else ():
            query = _query_for(asked.question, moment.video, moment.moment_s)
            meant = next((each.meaning for each in query.referents), "")
            if asked.reference:
                yield "antecedents", bool(meant) and is_any(meant, asked.needs[0])
            elif asked.needs:
                yield "names", all(names_any(query.text, each) for each in asked.needs)
            else:
                yield "own", all(part.origin in _OWN_ORIGINS for part in query.parts)


def _subjects(scope: Scope) -> Iterator[_Outcome]:
    for each in viewer_subjects(scope):
        name = "talk" if each.video.startswith("talk:") else "subject"
        for titled in (True, False) if name == "subject" or is_kept_aside(each.video) else ():
            index = index_of(video_of(each.video, titled=titled))
            terms = " ".join(subject_at(index, None if each.moment_s is None else index.position_at(each.moment_s)))
            yield each.video, name, names_any(terms, each.subject)
            if name == "subject":
                yield each.video, "no_reporters", not any(names_any(terms, (name,)) for name in each.wrong)
