"""Decides, by a logistic regression, whether a question needs its video, and which words of the video go into its query."""

from __future__ import annotations

import math
from collections.abc import Sequence

from search_core.domain.query import PartOrigin, QueryPart, QuestionTerm
from search_core.domain.video import VideoContext
from search_core.language.entities import translate_name
from search_core.language.korean import Morpheme
from search_core.language.korean.content import is_attribute
from search_core.language.words import stem
from search_core.search.understanding.phrases import fold, holds
from search_core.search.understanding.things import Thing, is_name, weigh
from search_core.search.understanding.transcript_index import TranscriptIndex, index_of
from search_core.search.understanding.unsaid import find_unsaid, things_around
from search_core.video.subject import MAX_SUBJECT, telling_of

MAX_ADDED = 4
"""Most words of the video in a query; with more, services that match every word find nothing."""
_MAX_OTHERS = 3
"""Further words, which go into another query with the subject."""


def standing_alone(
    text: str, analysed: Sequence[Morpheme], terms: Sequence[QuestionTerm], index: TranscriptIndex, moment_s: float | None
) -> float:
    """Return the probability that the question *text*, asked at *moment_s*, takes nothing from the video of *index*."""
    return 1 / (1 + math.exp(-weigh("standing alone", read_question(text, analysed, terms, index, moment_s))))


def read_question(
    text: str, analysed: Sequence[Morpheme], terms: Sequence[QuestionTerm], index: TranscriptIndex, moment_s: float | None
) -> dict[str, float]:
    """Return the features of *text*: what it names, how much of that is in the video of *index*, and what it leaves unsaid."""
    centre = centre_of(terms, index, moment_s)
    unsaid = find_unsaid(text, index, round(_BEGINNING_S * index.rate) if centre is None else centre)
    nouns = [term for term in terms if not term.describes]
    telling = {term.text: 0.0 if is_attribute(term.text) else telling_of(term.text) for term in nouns}
    spoken = {term.text for term in nouns if index.says(term.text)}
    absent = telling.keys() - spoken
    return {
        "nouns": min(len(nouns), 6),
        "names absent": min(sum(map(is_name, absent)), 3),
        "rarest absent": max((telling[noun] for noun in absent), default=0.0),
        "rarest said": max((telling[noun] for noun in spoken), default=0.0),
        "properties": min(sum(is_attribute(term.text) for term in nouns), 3),
        "descriptions": min(len(terms) - len(nouns), 3),
        "asks": text.endswith("?") or any(morpheme.tag == "EF" for morpheme in analysed[-2:]),
        **({} if unsaid is None else {"nothing unsaid": unsaid.nothing}),
    }


def centre_of(terms: Sequence[QuestionTerm], index: TranscriptIndex, moment_s: float | None) -> int | None:
    """Return the place in the transcript that a question is about: its moment, else the passage with most of its words."""
    centre = index.position_at(moment_s)
    if centre is not None or not index.text:
        return centre
    weighted = []
    for term in terms:
        stem_of = term.text.removesuffix("다") if term.predicate else term.text
        if len(stem_of) > 1 and index.places(stem_of):
            rare = 1 / math.log2(1 + len(index.places(stem_of)))
            weighted.append((stem_of, rare * (_VERB if term.describes else telling_of(stem_of))))
    return index.bearing(weighted) if weighted else None


_BEGINNING_S = 60.0
"""A question that is about no place of the transcript is read beside so much of its beginning."""
_VERB = 0.3
"""Weight of a verb for finding the intended passage."""
_NAMES_A_THING = 0.7
"""A word of the question names something in the video if it is at least this informative and the video says it."""
_OF_WHOLE = 2
"""Number of terms of the whole video added to a question without a moment."""
_LEAST_TELLING = 0.65
"""Least informativeness of an added word, unless there is no other; 나라 ("country") and 동안 ("during") are on every page.
Without such words the subject of 2 more of 280 videos is named."""


def candidates(index: TranscriptIndex, centre: int, question: str = "") -> list[Thing]:
    """Return the words of the video that may name the subject of a *question* at *centre*, the likeliest first."""
    things = (thing for thing in things_around(question, index, centre) if not thing.tells)
    return sorted(things, key=lambda thing: -thing.score("words"))


def context_parts(
    question: str, terms: Sequence[QuestionTerm], index: TranscriptIndex, moment_s: float | None, most: int = MAX_ADDED
) -> tuple[QueryPart, ...]:
    """Return at most *most* words of the video for the query of a *question* that leaves its subject to it."""
    own = " ".join(term.text for term in terms)
    of_whole = _OF_WHOLE if moment_s is None else 0
    centre, most = centre_of(terms, index, moment_s), max(1, most - count_named(terms, index))
    chosen = subject_at(index, centre, most, own, of_whole, question)
    return tuple(QueryPart(text, origin_of(text, index)) for text in chosen)


def other_context_parts(
    question: str, terms: Sequence[QuestionTerm], index: TranscriptIndex, moment_s: float | None, chosen: Sequence[QueryPart]
) -> tuple[QueryPart, ...]:
    """Return the next best words of the video after the *chosen* ones, behind the video's subject; none if no other is left."""
    own, centre = " ".join(term.text for term in terms), centre_of(terms, index, moment_s)
    listed = subject_at(index, centre, len(chosen) + MAX_ADDED, own, 0, question)
    others = [text for text in listed if not any(holds(part.text, text) for part in chosen)][:_MAX_OTHERS]
    whole = () if index.has_several_stories else index.about[:1]
    return tuple(QueryPart(text, origin_of(text, index)) for text in (*whole, *others)) if others else ()


def count_named(terms: Sequence[QuestionTerm], index: TranscriptIndex) -> int:
    """Return how many of *terms* name something in the video of *index*."""
    return sum(telling_of(term.text) >= _NAMES_A_THING and index.says(term.text) for term in terms if not term.describes)


def subject_at(
    index: TranscriptIndex,
    centre: int | None,
    most: int = MAX_ADDED,
    said: str = "",
    of_whole: int = 1,
    question: str = "",
) -> tuple[str, ...]:
    """Return at most *most* terms for the subject of the video at *centre*, without those in *said*.

    The first *of_whole* terms are those of the whole video, unless it has several stories. If one term contains another, only
    the longer one is taken.
    """
    if centre is None:
        terms_by_rank = list(dict.fromkeys((*index.about, *index.video.key_terms)))
    else:
        whole = () if index.has_several_stories else index.about[:of_whole]
        terms_by_rank = [*whole, *(candidate.text for candidate in candidates(index, centre, question))]
    kept: list[str] = []
    for text in [term for term in terms_by_rank if telling_of(term) >= _LEAST_TELLING] or terms_by_rank:
        text = " ".join(word for word in text.split() if not said or not holds(said, word))
        if not text or any(holds(said, form) for form in (text, translate_name(text)) if form):
            continue
        same = [place for place, other in enumerate(kept) if _share_a_word(text, other)]
        if not same and len(kept) == most:
            break
        if not same:
            kept.append(text)
        elif len(same) == 1 and holds(text, kept[same[0]]):
            kept[same[0]] = text
    return tuple(kept)


def video_subject_at(video: VideoContext, moment_s: float | None) -> tuple[str, ...]:
    """Return at most three terms for the subject of *video*; if it has several stories, for the story at *moment_s*."""
    index = index_of(video)
    return subject_at(index, index.position_at(moment_s), MAX_SUBJECT)


def _share_a_word(text: str, other: str) -> bool:
    return holds(text, other) or holds(other, text) or not {*map(stem, text.split())}.isdisjoint(map(stem, other.split()))


def origin_of(text: str, index: TranscriptIndex) -> PartOrigin:
    """Return the origin of the words *text* in the video of *index*."""
    video, folded = index.video, fold(text)
    for origin, known in (
        (PartOrigin.SPEAKER, video.speakers),
        (PartOrigin.ORGANIZATION, video.organizations),
        (PartOrigin.EVENT, video.events),
    ):
        if folded in map(fold, known):
            return origin
    return PartOrigin.TITLE if holds(index.title, text) else PartOrigin.TRANSCRIPT
