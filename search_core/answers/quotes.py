"""Sentences of a transcript with the moments at which they are said, and which of them answer a question.

Each sentence of the passages chosen for a question is weighed by logistic regression over what speaks for an excerpt as an answer
(``answer_features``), read with the sentence before it. Whether the best one answers is decided by a second regression, over its
odds, how near it is in meaning, and the best passage's score. Both were learnt, with a model of meaning and without, the second
one for transcripts in Korean and for others; see ``tests/quality/learn_quotes.py``.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from search_core.answers.answer_features import PLAIN, AskedQuestion, Excerpt, Regression, Rows, meaning_columns, read_columns
from search_core.answers.asked_values import AskedKind, asked_kind, values_in
from search_core.answers.question_scorer import ParsedQuestion, QuestionScorer
from search_core.answers.standing import Standing, judge_standing
from search_core.domain import SearchResult, TranscriptPassage
from search_core.errors import EmbeddingError
from search_core.ranking.meaning import nearness_to
from search_core.text.korean import has_hangul
from search_core.text.questions import is_question
from search_core.text.sentences import shorten, split_sentences
from search_core.text.words import rarity
from search_core.video.sentences import JudgeEnds, spoken_sentences

logger = logging.getLogger(__name__)

MAX_QUOTE_CHARS = 240
MAX_QUOTES = 4
MAX_SENTENCES = 200
_LEANS, _STANDS = 0.45, 0.2
"""From what share of a lost subject on, and up to what share of a claim, a sentence leans on the one before it."""
NEAR_BEST = 0.25
"""A sentence with less than this share of the best one's probability adds nothing to it."""
_UNTOLD = (
    "score", "best score", "behind best", "cover of result", "title", "first", "cut", "recency", "results", "evidence",
    "evidence lead", "asks", "short",
)  # fmt: skip
"""What says nothing of a talk's sentences, or nothing on the questions kept aside."""
NAMES = (
    *(name for name in PLAIN if name not in _UNTOLD and not name.endswith(" supported")),
    *("next similarity", "follows a question"),
)
"""The names of what is read of a sentence, in the order of a row."""
OF_BEST = ("odds", "best passage", "similarity")
"""The names of what decides whether the best sentence answers."""
_ASKING = frozenset({"얼마", "언제", "누구", "어디", "무엇", "뭐", "몇", "왜", "어떻", "무슨", "어떤"})


class Quote(NamedTuple):
    """One sentence and when it begins, in seconds from the start of the video."""

    text: str
    start_s: float
    uncertain: bool = False
    """True where speech recognition may have invented words."""


def sentences(passage: TranscriptPassage, ends: JudgeEnds | None = None) -> list[Quote]:
    """Return the sentences of *passage*, each of at most ``MAX_QUOTE_CHARS``; *ends* says where they end that no sign ends."""
    said = islice(spoken_sentences(passage.segments, ends, longest=MAX_QUOTE_CHARS), MAX_SENTENCES)
    return [Quote(sentence.text, sentence.start_s, sentence.uncertain) for sentence in said]


@dataclass(frozen=True, slots=True)
class Weights:
    """How likely a sentence answers, and whether the best one does, by whether the transcript is in Korean."""

    sentence: Regression
    best: Mapping[bool, Regression]


@cache
def shipped_weights() -> Mapping[bool, Weights]:
    """Return the weights that ship, by whether a model reads meaning across languages."""
    stored = json.loads(resources.files(__package__).joinpath("data/quotes.json").read_text(encoding="utf-8"))
    return {
        meant: Weights(
            Regression.of(stored[f"{name} sentence"], NAMES),
            {
                korean: Regression.of(stored[f"{name} {language}"], OF_BEST)
                for korean, language in ((True, "ko"), (False, "other"))
            },
        )
        for meant, name in ((True, "meaning"), (False, "words"))
    }


@dataclass(frozen=True, slots=True)
class Candidates:
    """Sentences of passages in the order in which they are said, each once, with a row of ``NAMES`` and its passage's score."""

    quotes: tuple[Quote, ...]
    follows: Mapping[Quote, Quote]
    """What is said next after each sentence of a passage but the last."""
    rows: Rows
    bearing: Rows
    meant: bool
    """Whether a model read what they mean."""

    @classmethod
    def of(cls, asked: ParsedQuestion, passages: Sequence[TranscriptPassage], scorer: QuestionScorer) -> Candidates:
        """Read the sentences of *passages* that ask nothing themselves, unless questions are asked for; raises EmbeddingError."""
        found: dict[str, tuple[Quote, str, float]] = {}
        follows: dict[Quote, Quote] = {}
        for passage in sorted(passages, key=lambda passage: passage.start_s):
            said = sentences(passage, scorer.ends)
            follows |= dict(pairwise(said))
            for quote, before in zip(said, ("", *(each.text for each in said)), strict=False):
                found.setdefault(quote.text, (quote, before, passage.score))
        asking = [is_question(quote.text) for quote, _, _ in found.values()]
        told = not asked.for_questions and not all(asking)
        chosen = [each for each, asks in zip(found.values(), asking, strict=True) if not (told and asks)][:MAX_SENTENCES]
        texts, befores = [quote.text for quote, _, _ in chosen], [before for _, before, _ in chosen]
        question = _question(asked)
        near = _nearness(question.understood, _with_before(texts, befores), scorer) if chosen else None
        rows = _read(question, texts, befores, near if near is not None else scorer.scores(asked, texts))
        bearing = np.array([score for _, _, score in chosen])
        return cls(tuple(quote for quote, _, _ in chosen), follows, rows, bearing, near is not None)

    @property
    def weights(self) -> Weights:
        """Return what weighs them."""
        return shipped_weights()[self.meant]

    def of_best(self, odds: Rows) -> Rows:
        """Return the numbers ``OF_BEST`` of the sentence with the highest of *odds*."""
        best = int(odds.argmax())
        return np.array([odds[best], self.bearing.max(), self.rows[best, NAMES.index("similarity")]], dtype=np.float64)

    @property
    def korean(self) -> bool:
        """Return whether they are in Korean."""
        return has_hangul(" ".join(quote.text for quote in self.quotes))


def best_quotes(
    asked: ParsedQuestion, passages: Sequence[TranscriptPassage], scorer: QuestionScorer, *, sure: bool = True
) -> tuple[Quote, ...]:
    """Return the sentences of *passages* that answer what is *asked*, in the order in which they are said; none where none does.

    The likeliest ones come in any case where it need not be *sure* that one answers.
    A question about the whole video gets one of each passage. Raises EmbeddingError when texts cannot be embedded.
    """
    if asked.whole:
        each = [Candidates.of(asked, [passage], scorer) for passage in passages]
        return tuple(one.quotes[int(one.weights.sentence.odds(one.rows).argmax())] for one in each if one.quotes)
    candidates = Candidates.of(asked, passages, scorer)
    if not candidates.quotes:
        return ()
    odds = candidates.weights.sentence.odds(candidates.rows)
    if sure and candidates.weights.best[candidates.korean].odds(candidates.of_best(odds)) < 0:
        return ()
    likely = 1 / (1 + np.exp(-odds))
    ranked = np.argsort(-likely, kind="stable")[:MAX_QUOTES].tolist()
    chosen = [candidates.quotes[place] for place in sorted(ranked) if likely[place] >= NEAR_BEST * likely[ranked[0]]]
    return _in_context(chosen, candidates, asked_kind(asked.as_asked or asked.text))


def _in_context(chosen: Sequence[Quote], candidates: Candidates, kind: AskedKind) -> tuple[Quote, ...]:
    """Return the *chosen* sentences, each said once, with what they lean on and what they announce.

    One that has lost its subject stands behind the sentence before it, and one without a value of the asked *kind* in front of
    the next one where that leans on it and has one.
    """
    before = {after: quote for quote, after in candidates.follows.items()}
    runs = [[quote] for quote in chosen]
    for run in runs:
        quote = run[0]
        after = candidates.follows.get(quote) if kind in (AskedKind.DATE, AskedKind.NUMBER) else None
        if quote in before and _leans(quote, before[quote]):
            run.insert(0, before[quote])
        if after is None or any(values_in(each.text, kind) for each in run):
            continue
        if values_in(after.text, kind) and _leans(after, quote):
            run.append(after)
    found: list[list[Quote]] = []
    for run in runs:
        if found and run[0] in found[-1]:
            found[-1] += [quote for quote in run if quote not in found[-1]]
        else:
            found.append(run)
    return tuple(map(_joined, found))


def _joined(run: Sequence[Quote]) -> Quote:
    return Quote(" ".join(quote.text for quote in run), run[0].start_s, any(quote.uncertain for quote in run))


def _leans(quote: Quote, before: Quote) -> bool:
    """Return whether *quote* has lost its subject, which the one *before* says, and both fit in one quote."""
    if len(before.text) + len(quote.text) >= MAX_QUOTE_CHARS:
        return False
    (standing,) = judge_standing([quote.text], [before.text], [None], [None])
    return standing[Standing.LOST] >= _LEANS and standing[Standing.CLAIM] <= _STANDS


def best_sentence(asked: ParsedQuestion, text: str, scorer: QuestionScorer) -> str:
    """Return the sentence of *text* that is likeliest to answer what is asked, shortened to ``MAX_QUOTE_CHARS``.

    Raises EmbeddingError when texts cannot be embedded.
    """
    line = " ".join(text.split())
    candidates = [shorten(sentence, MAX_QUOTE_CHARS) for sentence in split_sentences(line)[:MAX_SENTENCES]]
    if not candidates:
        return shorten(line, MAX_QUOTE_CHARS)
    rows = _read(_question(asked), candidates, ["", *candidates[:-1]], scorer.scores(asked, candidates))
    return candidates[int(shipped_weights()[False].sentence.odds(rows).argmax())]


def _question(asked: ParsedQuestion) -> AskedQuestion:
    return AskedQuestion(asked.as_asked or asked.text, asked.text if asked.resolved else asked.as_asked)


def _with_before(texts: Sequence[str], befores: Sequence[str]) -> list[str]:
    return [f"{before} {text}".strip() for before, text in zip(befores, texts, strict=True)]


def _read(question: AskedQuestion, texts: Sequence[str], befores: Sequence[str], nearness: Sequence[float]) -> Rows:
    """Return a row for each of *texts*, read with what is said before it, so near to *question*."""
    if not texts:
        return np.zeros((0, len(NAMES)))
    both, near = _with_before(texts, befores), np.array(nearness, dtype=np.float64)
    said = [SearchResult(title=before, url="", snippet=text, source="") for text, before in zip(texts, befores, strict=True)]
    starts = [len(before) + 1 for before in befores]
    excerpts = [
        Excerpt(row, start, start + len(text), text, title=False, opens=True, closes=True)
        for row, (start, text) in enumerate(zip(starts, texts, strict=True))
    ]
    columns = read_columns(question, said, excerpts) | meaning_columns(near)
    columns["cover"] = np.maximum(columns["cover"], _shares_spelt(question, texts))
    columns["cover with title"] = covers = np.maximum(columns["cover with title"], _shares_spelt(question, both))
    columns |= {"most covered": np.full(len(texts), covers.max()), "behind most covered": covers.max() - covers}
    columns["next similarity"] = np.append(near[1:], near[-1:])
    columns["follows a question"] = np.array(list(map(is_question, befores)))
    return np.column_stack([columns[name] for name in NAMES]).astype(np.float64)


def _nearness(question: str, texts: Sequence[str], scorer: QuestionScorer) -> list[float] | None:
    """Return how near in meaning *texts* are to *question*; None where no model sees that in any language."""
    if not scorer.across_languages:
        return None
    try:
        return [float(value) for value in nearness_to(question, texts, scorer.embedder)]
    except EmbeddingError as error:
        logger.warning("Quotes are chosen by words: %s", error)
        return None


def _shares_spelt(question: AskedQuestion, texts: Sequence[str]) -> Rows:
    """Return for each text the share of the words of *question*, by how telling they are, whose letters stand in it.

    Kiwi takes a word apart by what follows it ("대역폭이" is 대역 and 폭, "대역폭은" one word); words that only ask are left out.
    """
    weights = {word.form: rarity(word) for word in question.words if word.form not in _ASKING}
    whole = sum(weights.values()) or 1.0
    compact = ["".join(text.split()).casefold() for text in texts]
    return np.array([sum(weight for form, weight in weights.items() if form in text) / whole for text in compact])
