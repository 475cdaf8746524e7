"""How near texts are in meaning to a question, and how much that counts beside their words.

Cosines differ between embedders and between pairs of languages, so they are scaled by shipped questions and passages, which show
for each pair the usual cosine of unrelated texts and of answers. A long text counts by its nearest window, as a mean says little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.language import korean
from search_core.language.vectors import TRAINED, Embedder, Vectors

_UNRELATED = 0.1
"""Point of the common scale for texts on unrelated subjects; above 0, so that a text less similar than usual still scores more
than an empty one."""
_ANSWERING = 0.6
"""Point of the common scale for a passage that answers a question as the shipped ones do."""
_KEPT = 4
_known: dict[str, _Reference] = {}
"""By the names of embedders."""

LANGUAGES = ("ko", "en", "ja")
"""Languages of the shipped texts, in their order; other texts are measured as English."""
Languages = NDArray[np.str_]


class _Level(NamedTuple):
    """The typical similarities of one pair of languages."""

    unrelated: float
    answering: float

    def scaled(self, similarities: Vectors) -> Vectors:
        """Return *similarities* on the common scale; 1 stays 1 if answers are no nearer than other texts."""
        scaled: Vectors = np.clip(_UNRELATED + self.slope * (similarities - self.unrelated), 0.0, 1.0)
        return scaled

    @property
    def slope(self) -> float:
        """Return the slope of the common scale."""
        rise = (_ANSWERING - _UNRELATED) / max(1e-6, self.answering - self.unrelated)
        least = (1.0 - _UNRELATED) / max(1e-6, 1.0 - self.unrelated)
        return max(rise, least) if self.answering > self.unrelated else least


@dataclass(frozen=True, slots=True)
class _Reference:
    """The shipped questions as vectors and their similarities to the shipped passages, by language."""

    questions: Mapping[str, Vectors]
    levels: Mapping[tuple[str, str], _Level]
    """Of question and passage."""
    between_passages: Mapping[tuple[str, str], _Level]


class Calibration:
    """Turns an embedder's inner products into similarities in [0, 1] that are comparable between embedders and languages."""

    def __init__(self, embedder: Embedder) -> None:
        """Measure *embedder*, once for each name; raises EmbeddingError when it cannot embed."""
        if embedder.name not in _known:
            if len(_known) >= _KEPT:
                _known.clear()
            _known[embedder.name] = _reference(embedder)
        self._reference = _known[embedder.name]

    def to_question(self, question: str, asked: Vectors, texts: Vectors, languages: Languages) -> Vectors:
        """Return the nearness of *texts* to *question*, whose vector is *asked*.

        For a text in another language, its mean similarity to the shipped questions is subtracted first, because some texts are
        near to every question, and answers only a little nearer. (Within one language that does more harm than good.)
        """
        about = language_of(question)
        near: Vectors = texts @ asked
        usual = (texts @ self._reference.questions[about].T).mean(axis=1)
        for language in LANGUAGES:
            level, of_it = self._reference.levels[about, language], languages == language
            off = 0.0 if language == about else usual[of_it] - level.unrelated
            near[of_it] = level.scaled(near[of_it] - off)
        return near

    def directions(self, question: str, asked: Vectors) -> dict[bool, tuple[Vectors, float]]:
        """Return a vector and an offset for Korean texts (True) and for others, to compare stored vectors with.

        The inner product of the vector with a text's, plus the offset, equals ``to_question`` before its bounds.
        """
        about = language_of(question)
        usual: Vectors = self._reference.questions[about].mean(axis=0)
        vectors: dict[bool, tuple[Vectors, float]] = {}
        for language in ("ko", "en"):
            level = self._reference.levels[about, language]
            bare, off = (asked, level.slope * level.unrelated) if language == about else (asked - usual, 0.0)
            vectors[language == "ko"] = (bare * np.float32(level.slope), _UNRELATED - off)
        return vectors

    def between(self, texts: Vectors, languages: Languages, others: Vectors, others_languages: Languages) -> Vectors:
        """Return the nearness of passages *texts* to passages *others*."""
        similarities: Vectors = texts @ others.T
        for (one, other), level in self._reference.between_passages.items():
            place = np.ix_(languages == one, others_languages == other)
            similarities[place] = level.scaled(similarities[place])
        return similarities


def nearness_to(question: str, texts: Sequence[str], embedder: Embedder) -> Vectors:
    """Return the nearness in meaning of *texts*, each read whole, to *question*, in [0, 1]; raises EmbeddingError."""
    asked = embedder.embed([question], "query")[0]
    return Calibration(embedder).to_question(question, asked, embedder.embed(texts), languages_of(texts))


def directions_to(question: str, embedder: Embedder) -> dict[bool, tuple[Vectors, float]]:
    """Return ``Calibration.directions`` to *question* by *embedder*; raises EmbeddingError."""
    asked = embedder.embed([question], "query")[0]
    return Calibration(embedder).directions(question, asked)


def language_of(text: str) -> str:
    """Return which of ``LANGUAGES`` to measure *text* in; a Hangul name alone does not make it Korean."""
    language = korean.detect_language(text)
    return language if language in LANGUAGES else "en"


def languages_of(texts: Sequence[str]) -> Languages:
    """Return the measuring language of each of *texts*."""
    return np.array([language_of(text) for text in texts], dtype="U2")


def _reference(embedder: Embedder) -> _Reference:
    asked_in, said_in = _texts()[::2], _texts()[1::2]
    count = len(asked_in[0])
    asked = np.split(embedder.embed([text for texts in asked_in for text in texts], "query"), range(count, 3 * count, count))
    passage_vectors = np.split(embedder.embed([text for texts in said_in for text in texts]), range(count, 3 * count, count))
    questions, passages = dict(zip(LANGUAGES, asked, strict=True)), dict(zip(LANGUAGES, passage_vectors, strict=True))
    pairs = [(one, other) for one in LANGUAGES for other in LANGUAGES]
    levels = {(one, other): _level(questions[one] @ passages[other].T) for one, other in pairs}
    apart = {(one, other): _level(passages[one] @ passages[other].T).unrelated for one, other in pairs}
    between = {pair: _Level(apart[pair], apart[pair] + levels[pair].answering - levels[pair].unrelated) for pair in pairs}
    return _Reference(questions, levels, between)


def _level(similarities: Vectors) -> _Level:
    """Return the mean of *similarities* off the diagonal, and on it."""
    count = len(similarities)
    own = float(np.trace(similarities))
    return _Level((float(similarities.sum()) - own) / (count * (count - 1)), own / count)


@lru_cache(maxsize=1)
def _texts() -> tuple[tuple[str, ...], ...]:
    """Return the shipped questions and passages in Korean, in English and in Japanese, each by subject."""
    text = files("search_core.search.ranking").joinpath("data/calibration.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(tuple(lines[first::6]) for first in range(6))


WINDOW_CHARS = 400
"""Length of a window: that of a long snippet."""
SPOKEN_WINDOW_CHARS = 150
"""Length of a window of speech: two or three sentences. Share of Korean questions on English talks with an answer in the first
six passages: .80 (lectures) and .85 (web) in windows of 300, .84 and .93 in windows of 150."""
READ_CHARS = 1600
"""Text beyond this is compared by words only, as each window takes as long to embed as another result."""


def windows_of(text: str, size: int = WINDOW_CHARS) -> list[str]:
    """Return the beginning of *text* in windows of about *size* characters, split at spaces.

    A text without words is one window.
    """
    words = text.split()
    length = min(READ_CHARS, sum(map(len, words)) + len(words))
    most = ceil(length / size) or 1
    limit = length / most
    windows: list[str] = []
    held: list[str] = []
    chars = 0
    for word in words:
        if held and chars + len(word) / 2 > limit:
            windows.append(" ".join(held))
            if len(windows) == most:
                return windows
            held, chars = [], 0
        held.append(word)
        chars += len(word) + 1
    if held:
        windows.append(" ".join(held))
    return windows or [text]


_ONE_LANGUAGE = 0.1
"""Weight of meaning beside words for passages of one talk or page; small, because all of them are near in meaning.
Share of questions answered by the first passage (KorQuAD): .907 at .1, .900 at .2, .880 at .3."""
_ACROSS = 0.6
"""Weight of meaning for a passage in another language, whose words match only by names, a glossary and a dictionary."""
_OF_WORD_MEANS = 0.5
"""Weight of meaning for an embedder that only adds up word vectors."""
_WORDLESS = 0.9
"""Weight of meaning between Japanese and another language, where only numbers and Latin names match as words."""


@dataclass(frozen=True, slots=True)
class EmbeddedTexts:
    """Texts as vectors, long ones in several."""

    texts: tuple[str, ...]
    vectors: Vectors
    firsts: NDArray[np.intp]
    """Where the vectors of each text begin."""
    languages: Languages
    """Of the text of each vector."""
    embedder: Embedder

    @classmethod
    def of(cls, texts: Sequence[str], embedder: Embedder, *, of_one_text: bool = False) -> EmbeddedTexts:
        """Embed *texts*, which may be passages *of_one_text*; raises EmbeddingError."""
        chars = SPOKEN_WINDOW_CHARS if of_one_text else WINDOW_CHARS
        windows = [windows_of(text, chars) if embedder.limits == TRAINED else [text] for text in texts]
        firsts = np.cumsum([0, *map(len, windows)])[:-1]
        flat = [window for part in windows for window in part]
        return cls(tuple(texts), embedder.embed(flat), firsts, languages_of(flat), embedder)

    def shares(self, question: str) -> list[float]:
        """Return the weight of meaning beside words for each passage; 0 where the embedder cannot compare it with *question*."""
        limits = self.embedder.limits
        if not limits.across_scripts:
            return [limits.trust * _OF_WORD_MEANS if seen else 0.0 for seen in self.seen(question)]
        asked = language_of(question)
        return [
            limits.trust * (_ONE_LANGUAGE if language == asked else _WORDLESS if "ja" in (asked, language) else _ACROSS)
            for language in self.languages[self.firsts]
        ]

    def seen(self, question: str) -> list[bool]:
        """Return for each text whether the embedder can compare it with *question*."""
        hangul = korean.has_hangul(question)
        return [self.embedder.limits.across_scripts or korean.has_hangul(text) == hangul for text in self.texts]

    def to_question(self, question: str) -> Vectors:
        """Return the nearness of each text's nearest window to *question*, in [0, 1]; raises EmbeddingError."""
        asked = self.embedder.embed([question], "query")[0]
        return self._nearest(Calibration(self.embedder).to_question(question, asked, self.vectors, self.languages))

    def to_passages(self, vectors: Vectors, languages: Languages) -> Vectors:
        """Return a row for each text with its nearness to each passage, in [0, 1]."""
        return self._nearest(Calibration(self.embedder).between(self.vectors, self.languages, vectors, languages))

    def _nearest(self, near: Vectors) -> Vectors:
        nearest: Vectors = np.maximum.reduceat(near, self.firsts, axis=0)
        return nearest
