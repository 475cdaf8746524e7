"""Whether an answer of a language model, English or Korean, says that the model could not answer.

A cue alone decides nothing. It counts when it opens the answer (after regret and formulas), when no answer follows it, when the
words are the model's own and no quotation, and when the reason is lack of knowledge, not of permission. A short answer without a
cue is judged by a learnt classifier, if the embedder it was learnt with is ready.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search_core.answers.fallback_cues import (
    ASKS_FOR_WORDS,
    ASKS_WHAT_IS_SAID,
    CUES,
    EMPTY,
    GUESS,
    MACHINE,
    MASK,
    OF_OTHERS,
    OF_SOURCE,
    REFUSAL,
    AbstentionPattern,
    Clause,
    FallbackReason,
    clauses,
    normalize,
    without_quotes,
)
from search_core.answers.regression import read_weights
from search_core.errors import EmbeddingError
from search_core.language.korean import has_hangul
from search_core.language.sentences import sentence_spans
from search_core.language.vectors import Embedder

logger = logging.getLogger(__name__)

READ_CHARS = 4000
"""Characters of an answer that are read; a model that cannot answer says so within them."""
LEAD_LETTERS = 10
"""A cue after more letters of content than these does not open the answer."""
CLASSIFIED_CHARS = 500
"""Longest answer that the classifier judges; a longer one says something, whatever its beginning."""
BEGINNING_CHARS = {"ko": 100, "en": 160}
"""Characters that are embedded: two or three sentences, some ten milliseconds of one core."""
_MASKED = re.compile(rf"{MASK}[{MASK}\s]*+")
_MARKUP = re.compile(r"[*_#`>]+")
_DIGITS = re.compile(r"\d+")
_THOUGHT = re.compile(r"\s*<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_SAYS_SOMETHING = re.compile(r"[^\W_]|[$+<=>\u20a0-\u2bff\U0001f000-\U0001faff]")
"""A letter, a digit, or a sign that can be an answer by itself: an emoji, a currency or mathematical sign."""


@dataclass(frozen=True, slots=True)
class FallbackDecision:
    """The verdict on one answer.

    ``reason`` is ``FallbackReason.NONE`` (an empty text) unless triggered. ``evidence`` is the deciding sentence as written;
    empty if nothing triggered or the answer is empty.
    """

    triggered: bool
    reason: FallbackReason = FallbackReason.NONE
    evidence: str = ""


def beginning_of(masked: str) -> str:
    """Return the first sentences of an answer with *masked* quotes, without emphasis; each quote is a dash."""
    text = " ".join(_MARKUP.sub("", _MASKED.sub("… ", masked)).split())
    most = BEGINNING_CHARS[language_of(text)]
    ends = [end for _, end in sentence_spans(text[: 2 * most]) if end <= most]
    return text[: ends[-1] if ends and ends[-1] > most / 3 else most]


def read_features(beginning: str, question: str) -> NDArray[np.float64]:
    """Return three features of *beginning*: a number that *question* lacks, reported speech, and guessing."""
    text = normalize(beginning)
    new_number = not set(_DIGITS.findall(text)) <= set(_DIGITS.findall(question))
    return np.array([new_number, OF_OTHERS.search(text) is not None, GUESS.search(text) is not None], dtype=np.float64)


def language_of(text: str) -> str:
    """Return "ko" or "en", the language of *text*."""
    return "ko" if has_hangul(text) else "en"


class FallbackDetector:
    """Distinguishes answers from statements that no answer is known; safe to share between threads."""

    def __init__(self, embedder: Callable[[], Embedder] | None = None) -> None:
        """Take *embedder*, which returns a ready embedder; without it only cues decide."""
        self._embedder = embedder

    def detect(self, answer: str, question: str | None = None) -> FallbackDecision:
        """Return whether *answer* shows that its model could not answer *question* for lack of knowledge or access.

        A refusal on grounds of conduct, a hedged answer and a text about not knowing do not trigger. Reads the first 4,000
        characters; the time does not grow with what follows. The classifier's findings count as lack of knowledge.
        """
        thought = _THOUGHT.match(answer)
        start = thought.end() if thought else 0
        own = answer[start:]
        if not _SAYS_SOMETHING.search(own):
            return FallbackDecision(True, FallbackReason.EMPTY_ANSWER)
        start += len(own) - len(own.lstrip())
        written = _blank_outer_quotes(own.strip()[:READ_CHARS])
        text, asked = without_quotes(written), normalize((question or "")[:READ_CHARS])
        parts = list(clauses(text))
        part: Clause | None
        first_cue = _first_cue(parts, text)
        if first_cue is not None:
            part, reason = parts[first_cue[0]], first_cue[1].reason
            triggered = len(own.strip()) <= READ_CHARS and _decides(parts, *first_cue, text, asked)
        else:
            part = next((clause for clause in parts if not EMPTY.search(clause.text)), parts[0] if parts else None)
            reason = FallbackReason.NO_KNOWLEDGE
            triggered = may_be_classified(written, asked) and self._begins_unknowing(text, asked)
        if not triggered or part is None:
            return FallbackDecision(False)
        first, last = part.sentence
        return FallbackDecision(True, reason, answer[start + first : start + last])

    def _begins_unknowing(self, masked: str, asked: str) -> bool:
        """Return whether an answer, its quotes *masked*, begins like one that knows nothing; False without an embedder."""
        weights = read_weights("unknown")
        try:
            embedder = self._embedder() if self._embedder is not None else None
            if embedder is None or embedder.name != weights["model"]:  # vectors of another one say something else
                return False
            beginning = beginning_of(masked)
            odds = embedder.embed([beginning])[0] @ np.array(weights["vector"])
            odds += read_features(beginning, asked) @ np.array(weights["features"])
            # in each language the bias takes the allowed share of answers for none
            return bool(odds + weights["bias"][language_of(beginning)] > 0)
        except EmbeddingError as error:
            logger.warning("Whether an answer is one is judged by cues alone: %s", error)
            return False


def may_be_classified(written: str, asked: str) -> bool:
    """Return whether the classifier may judge *written*: a short answer without a cue, not even in a quotation.

    *asked* is the question, normalized.
    """
    if len(written) > CLASSIFIED_CHARS or written.rstrip().endswith("?"):
        return False
    if ASKS_FOR_WORDS.search(asked) or ASKS_WHAT_IS_SAID.search(asked) or _first_cue(list(clauses(written)), written) is not None:
        return False
    parts = list(clauses(without_quotes(written)))
    return bool(parts) and not _refuses(parts, asked)


def _blank_outer_quotes(text: str) -> str:
    """Replace the quotation marks by spaces if the whole *text* is one quotation."""
    if len(text) > 2 and text[0] + text[-1] in ('""', "“”", "''", "「」"):
        inner = text[1:-1]
        if text[0] not in inner and text[-1] not in inner.replace("n't", ""):
            return f" {inner} "
    return text


def _first_cue(parts: Sequence[Clause], text: str) -> tuple[int, AbstentionPattern] | None:
    """Return the first cue and the place of its clause; questions, conditions and reported speech have none."""
    for place, part in enumerate(parts):
        if not text[slice(*part.sentence)].endswith("?") and not OF_OTHERS.search(part.text):
            for cue in CUES:
                if cue.pattern.search(part.text):
                    return place, cue
    return None


def _decides(parts: Sequence[Clause], place: int, cue: AbstentionPattern, text: str, asked: str) -> bool:
    """Return whether *cue*, in the clause at *place*, decides about the whole answer *text*."""
    of_source, sentence = cue.reason is FallbackReason.NOT_IN_SOURCE, parts[place].sentence
    before = [clause for clause in parts[:place] if not EMPTY.search(clause.text)]
    after = [clause for clause in parts[place + 1 :] if not any(cue.pattern.search(clause.text) for cue in CUES)]
    if _letters(clause for clause in after if not EMPTY.search(clause.text)) > cue.rest:
        return False
    if cue.reason not in MACHINE and (ASKS_FOR_WORDS.search(asked) or (of_source and ASKS_WHAT_IS_SAID.search(asked))):
        return False
    near = parts
    if of_source:  # "the talk shows the mirror, but not its price"; other sentences tell what else it speaks of
        before = [clause for clause in before if clause.sentence != sentence or not OF_SOURCE.search(clause.text)]
        after = [clause for clause in after if clause.sentence == sentence and not OF_SOURCE.search(clause.text)]
        near = [clause for clause in parts if clause.sentence == sentence]
    return _letters(before) <= LEAD_LETTERS and not _refuses(near, asked) and not _answers(after, text, asked)


def _answers(parts: Sequence[Clause], text: str, asked: str) -> bool:
    """Return whether *parts*, after a cue, still answer: "not sure, but …", or a guess with the numbers asked for."""
    numbers = set(_DIGITS.findall(asked))
    clauses_with_numbers = [clause for clause in parts if numbers <= set(_DIGITS.findall(text[slice(*clause.sentence)]))]
    statements = [clause for clause in clauses_with_numbers if not EMPTY.search(clause.text)]
    return any(clause.contrasts for clause in statements) or any(GUESS.search(clause.text) for clause in clauses_with_numbers)


def _letters(parts: Iterable[Clause]) -> int:
    return sum(clause.letters for clause in parts)


def _refuses(parts: Sequence[Clause], asked: str) -> bool:
    """Return whether *parts* refuse on grounds of conduct ("unethical") that the question does not mention itself."""
    return any(match[0] not in asked for part in parts for match in REFUSAL.finditer(part.text))
