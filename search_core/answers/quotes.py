"""Sentences of a transcript with the moments at which they are said."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from search_core.answers.question_scorer import ParsedQuestion, QuestionScorer
from search_core.domain import TranscriptPassage
from search_core.text.questions import is_question
from search_core.text.sentences import sentence_spans, shorten, split_sentences

MAX_QUOTE_CHARS = 240
MAX_QUOTES = 4
MAX_SENTENCES = 200
NEAR_BEST = 0.6
"""A sentence with less than this share of the best one's score adds nothing to it."""
_ANSWERING = 0.9
"""Share of a question's score that the sentence behind it has at least, which answers it."""


class Quote(NamedTuple):
    """One sentence and when it begins, in seconds from the start of the video."""

    text: str
    start_s: float
    uncertain: bool = False
    """True where speech recognition may have invented words."""


def sentences(passage: TranscriptPassage) -> list[Quote]:
    """Return the sentences of *passage*; speech without full stops, as machines write it down, is taken caption by caption."""
    texts = [" ".join(segment.text.split()) for segment in passage.segments]
    begins = list(accumulate((len(text) + 1 for text in texts), initial=0))[:-1]
    joined = " ".join(texts)
    found: list[Quote] = []
    for start, end in sentence_spans(joined):
        first, last = bisect_right(begins, start) - 1, bisect_right(begins, end - 1) - 1
        if end - start <= MAX_QUOTE_CHARS:
            spoken = passage.segments[first : last + 1]
            found.append(Quote(joined[start:end], spoken[0].start_s, any(segment.uncertain for segment in spoken)))
        else:
            for place in range(first, last + 1):
                segment = passage.segments[place]
                found.append(Quote(shorten(texts[place], MAX_QUOTE_CHARS), segment.start_s, segment.uncertain))
    return [quote for quote in found if any(char.isalnum() for char in quote.text)]


def best_quotes(asked: ParsedQuestion, passages: Sequence[TranscriptPassage], scorer: QuestionScorer) -> tuple[Quote, ...]:
    """Return the sentences of *passages* that bear most on what is asked, in the order in which they are said.

    A question about the whole video gets one of each passage. Raises EmbeddingError when texts cannot be embedded.
    """
    if asked.whole:
        return tuple(quote for passage in passages for quote in _best(asked, sentences(passage), scorer, at_most=1))
    first_said: dict[str, Quote] = {}
    for quote in sorted((quote for passage in passages for quote in sentences(passage)), key=lambda quote: quote.start_s):
        first_said.setdefault(quote.text, quote)
    return _best(asked, list(first_said.values())[:MAX_SENTENCES], scorer, at_most=MAX_QUOTES)


def _best(asked: ParsedQuestion, candidates: Sequence[Quote], scorer: QuestionScorer, *, at_most: int) -> tuple[Quote, ...]:
    if not candidates:
        return ()
    scores = _scores(asked, [quote.text for quote in candidates], scorer)
    ranked = sorted(zip(scores, candidates, strict=True), key=lambda pair: -pair[0])[:at_most]
    chosen = [quote for score, quote in ranked if score > 0 and score >= NEAR_BEST * ranked[0][0]] or [ranked[0][1]]
    return tuple(sorted(chosen, key=lambda quote: quote.start_s))


def best_sentence(asked: ParsedQuestion, text: str, scorer: QuestionScorer) -> str:
    """Return the sentence of *text* that bears most on what is asked, shortened to ``MAX_QUOTE_CHARS``.

    Raises EmbeddingError when texts cannot be embedded.
    """
    line = " ".join(text.split())
    candidates = [shorten(sentence, MAX_QUOTE_CHARS) for sentence in split_sentences(line)[:MAX_SENTENCES]]
    if not candidates:
        return shorten(line, MAX_QUOTE_CHARS)
    scores = _scores(asked, candidates, scorer)
    return candidates[scores.index(max(scores))]


def _scores(asked: ParsedQuestion, said: Sequence[str], scorer: QuestionScorer) -> list[float]:
    """Return how much each of the sentences *said* one after the other bears on what is asked.

    One that asks itself has nothing to tell, and hands its score to the next that tells something; not where questions are
    asked for, or where all of them ask.
    """
    scores = scorer.scores(asked, said)
    asking = [is_question(sentence) for sentence in said]
    if asked.for_questions or all(asking):
        return scores
    told, handed = [], 0.0
    for score, asks in zip(scores, asking, strict=True):
        told.append(0.0 if asks else max(score, handed))
        handed = max(handed, _ANSWERING * score) if asks else 0.0
    return told
