"""Selects the passages of a transcript that are relevant to a question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from search_core.answers.question_scorer import KEPT, OF_ANSWER, ParsedQuestion, QuestionScorer
from search_core.answers.quotes import MAX_QUOTE_CHARS, MAX_SENTENCES
from search_core.domain.video import TranscriptPassage, TranscriptSegment, VideoContext
from search_core.language import korean
from search_core.language.korean.content import is_attribute
from search_core.runtime import in_turns
from search_core.video.passages import passages_of
from search_core.video.sentences import JudgeEnds, spoken_sentences

MAX_PASSAGES = 8
"""Most passages chosen for a question: about six minutes of speech."""
MAX_SCORED = 1_000
"""As many passages as twelve hours have; in a longer video those with most words of the question are scored."""
HERE_S = 30.0
"""Passages within so many seconds of the moment of a question are chosen first."""
BEARS_ON = 0.35
"""Score from which on a passage may be quoted."""

_BESIDE = 4
"""Captions before and after a passage that are searched for the beginning and end of its sentences."""
_NUMBERED = re.compile(r"[A-Za-z]+-?\d+[A-Za-z]*")


def choose_passages(asked: ParsedQuestion, video: VideoContext | None, scorer: QuestionScorer) -> tuple[TranscriptPassage, ...]:
    """Return the passages of *video* nearest to the question, best first, each in whole sentences.

    The best passages are returned even if none is near enough to answer: a language model judges better than a score. A question
    about the whole video gets passages from all over it, in order. Raises EmbeddingError when texts cannot be embedded.
    """
    if video is None or not (passages := passages_of(video.transcript)):
        return ()
    if asked.whole:
        places = dict.fromkeys(map(round, np.linspace(0, len(passages) - 1, MAX_PASSAGES)))
        spread = _in_sentences([passages[place] for place in places], video.transcript, scorer.ends)
        return tuple(replace(passage, score=1.0) for passage in spread)
    read = _holding_most(asked.terms, passages)
    scores = scorer.scores(asked, [passage.text for passage in read])
    scored = [
        replace(passage, score=score if _may_answer(asked, passage.text) else KEPT * score)
        for passage, score in in_turns(zip(read, scores, strict=True))
    ]
    ranked = sorted(scored, key=lambda passage: (not _is_here(passage, asked.moment_s), -passage.score))
    nearest = sorted((passage for passage in ranked[:MAX_PASSAGES] if passage.score > 0), key=lambda passage: -passage.score)
    return tuple(_in_sentences(nearest, video.transcript, scorer.ends))


def _is_here(passage: TranscriptPassage, moment_s: float | None) -> bool:
    return moment_s is not None and passage.start_s - HERE_S <= moment_s <= passage.end_s + HERE_S


def _in_sentences(
    passages: Sequence[TranscriptPassage], transcript: Sequence[TranscriptSegment], ends: JudgeEnds | None
) -> Iterator[TranscriptPassage]:
    """Yield *passages* of *transcript* with one segment for each sentence they touch, extended to whole sentences."""
    places = {id(segment): place for place, segment in enumerate(transcript)}
    for passage in passages:
        first, last = places[id(passage.segments[0])], places[id(passage.segments[-1])]
        begin = max(0, first - _BESIDE)
        near, inner = transcript[begin : last + 1 + _BESIDE], range(first - begin, last + 1 - begin)
        segments = tuple(islice(spoken_sentences(near, ends, within=inner, longest=MAX_QUOTE_CHARS), MAX_SENTENCES))
        yield replace(passage, segments=segments) if segments else passage


def _holding_most(terms: Sequence[str], passages: Sequence[TranscriptPassage]) -> Sequence[TranscriptPassage]:
    """Return the ``MAX_SCORED`` *passages* with the most of *terms*, in order; all of them if there are no more."""
    if len(passages) <= MAX_SCORED:
        return passages
    texts = [passage.text.casefold() for passage in passages]
    held = [sum(term.casefold() in text for term in terms) for text in in_turns(texts)]
    return [passages[place] for place in sorted(sorted(range(len(held)), key=lambda place: -held[place])[:MAX_SCORED])]


def _may_answer(asked: ParsedQuestion, text: str) -> bool:
    """Return whether *text* names at least one thing asked about, and each one with a number ("HBM5").

    Things written in another script than *text* count as named, and so do those that a question only points to.
    """
    if asked.resolved:
        return True
    things = [term for term in asked.terms if not (term.endswith("다") or is_attribute(term) or term.casefold() in OF_ANSWER)]
    compact = "".join(text.split()).casefold()
    if any(_NUMBERED.fullmatch(term) and term.casefold() not in compact for term in things):
        return False
    if not things or not korean.has_hangul(text) or not all(korean.has_hangul(term) for term in things):
        return True
    return any(term[:2].casefold() in compact for term in things)


def relevant_passages(passages: Sequence[TranscriptPassage]) -> tuple[TranscriptPassage, ...]:
    """Return the *passages* near enough to be an answer."""
    return tuple(passage for passage in passages if passage.score >= BEARS_ON)
