"""Quotations of a talk: one to four whole sentences with their first moment, chosen by the reader of answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from search_core.answers.question_scorer import ParsedQuestion, QuestionScorer
from search_core.answers.reader import MOMENT, Reading, read, read_together, weigh_together
from search_core.answers.reading import NAMES, AskedQuestion, Rows, Said
from search_core.answers.sentence_classes import SentenceClass, classify_sentences
from search_core.domain.video import TranscriptPassage, TranscriptSegment, VideoContext
from search_core.language.sentences import shorten, split_sentences
from search_core.language.statements.proposition import is_question
from search_core.language.words import rarity, words_of
from search_core.video.sentences import JudgeEnds, spoken_sentences

MAX_QUOTE_CHARS = 240
"""Longest quoted sentence."""
MAX_QUOTES = 3
MAX_SENTENCES = 200
_MOST, _MOST_CHARS = 4, 360
"""Most sentences of a quotation, and its most characters if it has more than one sentence."""
_LEAST_LETTERS = 12
"""A sentence with fewer characters is quoted together with the sentence before it."""
NEAR_BEST = 0.3
"""A sentence is quoted beside the best one if its probability is at least this share of the best one's."""
_BESIDE = 0.15
"""A neighbour of a quoted sentence joins the quotation if its probability is at least this share of the quoted one's."""
_LEANS, _STANDS = 0.45, 0.2
"""A sentence needs the one before it if its class is "lost" with at least the first probability, "claim" with at most the
second."""
_LEAST_BEARING = 0.2
"""Nothing is quoted if no passage scores higher than this: so for 3 in 100 of our questions about talks that have an answer, and
for 3 in 10 of those without one."""
_UNBROKEN_S = 3.0
"""Passages this near to each other are one stretch of the talk."""
_MOMENT_FADE_S = 45.0
"""Seconds in which nearness in time to the question fades."""
_OF_WHOLE, _READ_OF_PART = 5, 24
"""Number of sentences that represent a whole talk, and of those examined in each part."""


class TalkReading(NamedTuple):
    """The sentences of some passages, in order, scored for a question."""

    quotes: tuple[TranscriptSegment, ...]
    reading: Reading

    @property
    def answers(self) -> bool:
        """Return whether a sentence surely answers; at a moment even if no passage shares the question's words."""
        bears = self.reading.weighed == MOMENT or any(sentence.bearing >= _LEAST_BEARING for sentence in self.reading.said)
        return self.reading.answered >= 0 and bears

    def best(self, at_most: int = MAX_QUOTES, *, near_best: float = NEAR_BEST) -> tuple[TranscriptSegment, ...]:
        """Return at most *at_most* quotations around the likeliest sentences: the best first, then by time.

        Quotations less likely than *near_best* times the best one are left out.
        """
        likely, windows = self.reading.likely, list[range]()
        for place in self.reading.order:
            if len(windows) == at_most or likely[place] < near_best * likely.max() or not likely[place]:
                break
            if not any(place in window for window in windows):
                windows.append(self._around(place, likely, windows))
        return tuple(map(self._joined, (*windows[:1], *sorted(windows[1:], key=lambda window: window.start))))

    def order(self, passages: Sequence[TranscriptPassage]) -> list[TranscriptPassage]:
        """Return *passages*, those with the best answering sentences first."""

        def best_of(passage: TranscriptPassage) -> float:
            scored = zip(self.quotes, self.reading.odds, strict=True)
            return max((odds for quote, odds in scored if passage.start_s <= quote.start_s < passage.end_s), default=-np.inf)

        return sorted(passages, key=best_of, reverse=True)

    def _around(self, place: int, likely: Rows, taken: Sequence[range]) -> range:
        """Return the places of a quotation: the sentence at *place* and neighbours that it needs or that answer, none *taken*."""
        window = range(place, place + 1)
        while len(window) < _MOST:
            beside = [self._wanted(after, window, place, likely) for after in (False, True)]
            need, at = max(beside)
            longer = range(min(window.start, at), max(window.stop, at + 1))
            if need <= 0 or any(at in taken_window for taken_window in taken) or self._chars(longer) > _MOST_CHARS:
                break
            window = longer
        return window

    def _wanted(self, after: bool, window: range, place: int, likely: Rows) -> tuple[float, int]:
        """Return the gain (0 for none) of adding the sentence *after* or before *window*, and the place of that sentence."""
        at = window.stop if after else window.start - 1
        edge = window[-1] if after else window.start
        sentences = self.reading.said
        if not (0 <= at < len(sentences)) or sentences[at].source != sentences[edge].source:
            return 0.0, at
        if not after and (self._leans(edge) or self._chars(window) < _LEAST_LETTERS):
            return 2.0, at
        return (float(likely[at]) if likely[at] >= _BESIDE * likely[place] else 0.0), at

    def _leans(self, place: int) -> bool:
        """Return whether a sentence lacks its subject, which the sentence before it names."""
        lost, claim = (self.reading.rows[place, NAMES.index(name)] for name in ("lost", "claim"))
        return bool(lost >= _LEANS and claim <= _STANDS)

    def _chars(self, window: range) -> int:
        return sum(len(self.quotes[place].text) for place in window)

    def _joined(self, window: range) -> TranscriptSegment:
        run = self.quotes[window.start : window.stop]
        text, uncertain = " ".join(quote.text for quote in run), any(quote.uncertain for quote in run)
        return TranscriptSegment(run[0].start_s, run[-1].end_s, text, uncertain)


def sentences(passage: TranscriptPassage, ends: JudgeEnds | None = None) -> list[TranscriptSegment]:
    """Return the sentences of *passage*, each at most ``MAX_QUOTE_CHARS`` long; *ends* finds ends without punctuation."""
    return list(islice(spoken_sentences(passage.segments, ends, longest=MAX_QUOTE_CHARS), MAX_SENTENCES))


def read_passages(asked: ParsedQuestion, passages: Sequence[TranscriptPassage], scorer: QuestionScorer) -> TalkReading | None:
    """Return how well each sentence of *passages* answers the question; None if there is none."""
    quotes, sentences = said_in(asked, passages, scorer.ends)
    if not sentences:
        return None
    asking = [is_question(quote.text) for quote in quotes]
    left_out = [asks and not all(asking) for asks in asking]
    question = asked_question(asked)
    reading = read(question, sentences, scorer.model, spoken=True, left_out=left_out)
    odds = read_together(reading, question, scorer.answers) if scorer.answers is not None and scorer.model is not None else None
    if odds is not None:
        reading = weigh_together(reading, odds)
    if not question.may_be_answered_by(sentences[reading.order[0]].text):
        reading = replace(reading, answered=-math.inf)
    return TalkReading(tuple(quotes), reading)


def said_in(
    asked: ParsedQuestion, passages: Sequence[TranscriptPassage], ends: JudgeEnds | None
) -> tuple[list[TranscriptSegment], list[Said]]:
    """Return the distinct sentences of *passages* in order, and the same as the reader's input."""
    by_text: dict[str, tuple[TranscriptSegment, Said]] = {}
    source, ended_s = 0, -math.inf
    for passage in sorted(passages, key=lambda passage: passage.start_s):
        source += passage.start_s - ended_s > _UNBROKEN_S
        ended_s = passage.end_s
        for quote in sentences(passage, ends):
            away_s = math.inf if asked.moment_s is None else abs(quote.start_s - asked.moment_s)
            sentence = Said(quote.text, source, passage.score, math.exp(-away_s / _MOMENT_FADE_S))
            by_text.setdefault(quote.text, (quote, sentence))
    kept = list(by_text.values())[:MAX_SENTENCES]
    return [quote for quote, _ in kept], [sentence for _, sentence in kept]


def spread_quotes(video: VideoContext, ends: JudgeEnds | None = None) -> tuple[TranscriptSegment, ...]:
    """Return one self-contained sentence on the subject from each fifth of *video*, without greetings and farewells."""
    spoken = [*spoken_sentences(video.transcript, ends, longest=MAX_QUOTE_CHARS)]
    subject = {word.form: rarity(word) for text in (video.title, *video.key_terms) for word in words_of([text])[0]}
    covers = [sum(subject.get(form, 0.0) for form in {word.form for word in words}) for words in words_of(s.text for s in spoken)]
    bounds = [round(len(spoken) * part / _OF_WHOLE) for part in range(_OF_WHOLE + 1)]
    places = []
    for first, last in pairwise(bounds):
        near = sorted(range(first, last), key=lambda place: -covers[place])[:_READ_OF_PART]
        if not near:
            continue
        statements = [place for place in sorted(near) if not is_question(spoken[place].text)] or near
        before = [spoken[place - 1].text if place else "" for place in statements]
        classes = classify_sentences([spoken[place].text for place in statements], before)
        values = [(covers[place] + 1) * shares[SentenceClass.CLAIM] for place, shares in zip(statements, classes, strict=True)]
        places.append(statements[int(np.argmax(values))])
    return tuple(spoken[place] for place in places)


def best_sentence(asked: ParsedQuestion, text: str, scorer: QuestionScorer) -> str:
    """Return the sentence of *text* that most likely answers the question, shortened to ``MAX_QUOTE_CHARS``.

    Headings and paragraphs are lines of their own, so they never run into a sentence.
    """
    lines = (" ".join(sentence.split()) for sentence in split_sentences(text)[:MAX_SENTENCES])
    candidates = [shorten(line, MAX_QUOTE_CHARS) for line in lines]
    if not candidates:
        return shorten(" ".join(text.split()), MAX_QUOTE_CHARS)
    sentences = [Said(candidate) for candidate in candidates]
    return candidates[read(asked_question(asked), sentences, scorer.model, spoken=False).order[0]]


def asked_question(asked: ParsedQuestion) -> AskedQuestion:
    """Convert a parsed question to the type that sentences are read for."""
    return AskedQuestion(asked.as_asked or asked.text, asked.text if asked.resolved else asked.as_asked)
