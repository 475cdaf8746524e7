"""How similarities are scaled: cosines of one embedder, or of one pair of languages, mean something else than those of another.

E5 models give a Korean question and an English passage that answers it about the similarity of a Korean question and a Korean
passage on something else. Shipped questions and passages in Korean, English and Japanese tell where each pair of languages
begins and what an answer reaches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core import korean
from search_core.relevance.embedder import Embedder, Vectors

_UNRELATED = 0.1
"""Where texts on unrelated subjects land, so that a text somewhat less alike than usual is still told apart from one that is
empty."""
_ANSWERING = 0.6
"""Where a passage lands that answers a question as the shipped ones do."""
_KEPT = 4
_DECIMALS = 3
"""Numbers of a vector by which embedders of one name are distinguished; what is calculated again may differ further behind."""
_known: dict[tuple[str, bytes], _Reference] = {}

LANGUAGES = ("ko", "en", "ja")
"""Those of the shipped texts, in their order; a text in any other language is measured as English."""
Languages = NDArray[np.str_]


class _Level(NamedTuple):
    """What similarities of one pair of languages reach."""

    unrelated: float
    answering: float

    def scaled(self, similarities: Vectors) -> Vectors:
        """Return *similarities* on the common scale; 1 stays 1 where an answer is no nearer than anything else."""
        scaled: Vectors = np.clip(_UNRELATED + self.slope * (similarities - self.unrelated), 0.0, 1.0)
        return scaled

    @property
    def slope(self) -> float:
        """Return by how much the common scale rises with a similarity."""
        rise = (_ANSWERING - _UNRELATED) / max(1e-6, self.answering - self.unrelated)
        least = (1.0 - _UNRELATED) / max(1e-6, 1.0 - self.unrelated)
        return max(rise, least) if self.answering > self.unrelated else least


@dataclass(frozen=True, slots=True)
class _Reference:
    """Holds the shipped questions as vectors and what they reach with the shipped passages, by language."""

    questions: Mapping[str, Vectors]
    levels: Mapping[tuple[str, str], _Level]
    """Of question and passage."""
    between_passages: Mapping[tuple[str, str], _Level]


class Calibration:
    """Turns an embedder's inner products into similarities in [0, 1] that mean the same for every embedder and language.

    Shipped texts on unrelated subjects count as unrelated, questions and their own passages as answered.
    """

    def __init__(self, embedder: Embedder, probe: Vectors | None = None) -> None:
        """Measure *embedder*, once for each that gives other vectors; raises EmbeddingError when it cannot embed.

        *probe* is its vector of ``probe_text`` as a question, where that is at hand: names do not tell all of them apart.
        """
        key = (embedder.name, identify(embedder, probe))
        if key not in _known:
            if len(_known) >= _KEPT:
                _known.clear()
            _known[key] = _reference(embedder)
        self._reference = _known[key]

    def to_question(self, question: str, asked: Vectors, texts: Vectors, languages: Languages) -> Vectors:
        """Return how near *texts* are to *question*, whose vector is *asked*.

        What a text in another language has in common with questions on anything is taken off first: across languages answers are
        nearer by little, and some texts are near to everything. (In one language that costs more than it brings.)
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
        """Return a vector and a number for Korean texts (True) and one for English ones, by which others are measured, too.

        Their inner product with a text's vector, and the number added, is what ``to_question`` gives, but for its bounds.
        """
        about = language_of(question)
        usual: Vectors = self._reference.questions[about].mean(axis=0)
        found: dict[bool, tuple[Vectors, float]] = {}
        for language in ("ko", "en"):
            level = self._reference.levels[about, language]
            bare, off = (asked, level.slope * level.unrelated) if language == about else (asked - usual, 0.0)
            found[language == "ko"] = (bare * np.float32(level.slope), _UNRELATED - off)
        return found

    def between(self, texts: Vectors, languages: Languages, others: Vectors, others_languages: Languages) -> Vectors:
        """Return how near each of *texts* is to each of *others*, passages all."""
        similarities: Vectors = texts @ others.T
        for (one, other), level in self._reference.between_passages.items():
            place = np.ix_(languages == one, others_languages == other)
            similarities[place] = level.scaled(similarities[place])
        return similarities


def directions_to(question: str, embedder: Embedder) -> dict[bool, tuple[Vectors, float]]:
    """Return the directions to *question* by *embedder*, as ``Calibration.directions`` does; raises EmbeddingError."""
    asked, probe = embedder.embed([question, probe_text()], "query")
    return Calibration(embedder, probe).directions(question, asked)


def identify(embedder: Embedder, probe: Vectors | None = None) -> bytes:
    """Return an identifier of the vectors of *embedder* among others of its name; raises EmbeddingError.

    *probe* is its vector of ``probe_text`` as a question, where that is at hand.
    """
    vector = embedder.embed([probe_text()], "query")[0] if probe is None else probe
    return (np.round(vector, _DECIMALS) + 0.0).astype("<f4").tobytes()  # without the sign of a zero


def probe_text() -> str:
    """Return the question by whose vector embedders are distinguished."""
    return _texts()[0][0]


def language_of(text: str) -> str:
    """Return by which of ``LANGUAGES`` *text* is measured; one that only names somebody in Hangul is not Korean."""
    found = korean.detect_language(text)
    return found if found in LANGUAGES else "en"


def languages_of(texts: Sequence[str]) -> Languages:
    """Return by which language each of *texts* is measured."""
    return np.array([language_of(text) for text in texts], dtype="U2")


def _reference(embedder: Embedder) -> _Reference:
    asked_in, said_in = _texts()[::2], _texts()[1::2]
    count = len(asked_in[0])
    asked = np.split(embedder.embed([text for each in asked_in for text in each], "query"), range(count, 3 * count, count))
    said = np.split(embedder.embed([text for each in said_in for text in each]), range(count, 3 * count, count))
    questions, passages = dict(zip(LANGUAGES, asked, strict=True)), dict(zip(LANGUAGES, said, strict=True))
    pairs = [(one, other) for one in LANGUAGES for other in LANGUAGES]
    levels = {(one, other): _level(questions[one] @ passages[other].T) for one, other in pairs}
    apart = {(one, other): _level(passages[one] @ passages[other].T).unrelated for one, other in pairs}
    between = {pair: _Level(apart[pair], apart[pair] + levels[pair].answering - levels[pair].unrelated) for pair in pairs}
    return _Reference(questions, levels, between)


def _level(similarities: Vectors) -> _Level:
    """Return what a square of *similarities* reaches: beside its diagonal, and on it."""
    count = len(similarities)
    own = float(np.trace(similarities))
    return _Level((float(similarities.sum()) - own) / (count * (count - 1)), own / count)


@lru_cache(maxsize=1)
def _texts() -> tuple[tuple[str, ...], ...]:
    """Return the shipped questions and passages in Korean, in English and in Japanese, each by subject."""
    text = files("search_core.relevance").joinpath("data/calibration.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(tuple(lines[first::6]) for first in range(6))
