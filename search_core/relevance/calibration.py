"""What a similarity is worth: cosines of one embedder, or of one pair of languages, mean something else than those of another.

E5 models give a Korean question and an English passage that answers it about the similarity of a Korean question and a Korean
passage on something else. Shipped questions and passages in both languages tell where each pair of languages begins and what an
answer reaches.
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
"""Of a vector, by which embedders of one name are told apart; what is calculated again may differ further behind."""
_known: dict[tuple[str, bytes], _Reference] = {}

AreKorean = NDArray[np.bool_]


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
    """Holds the shipped questions as vectors and what they reach with the shipped passages, by language (is it Korean?)."""

    questions: Mapping[bool, Vectors]
    levels: Mapping[tuple[bool, bool], _Level]
    """Of question and passage."""
    between_passages: Mapping[tuple[bool, bool], _Level]


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

    def to_question(self, question: str, asked: Vectors, texts: Vectors, are_korean: AreKorean) -> Vectors:
        """Return how near *texts* are to *question*, whose vector is *asked*.

        What a text in another language has in common with questions on anything is taken off first: across languages answers are
        nearer by little, and some texts are near to everything. (In one language that costs more than it brings.)
        """
        about_korean = is_korean(question)
        same, across = (self._reference.levels[about_korean, of_korean] for of_korean in (about_korean, not about_korean))
        usual = (texts @ self._reference.questions[about_korean].T).mean(axis=1) - across.unrelated
        similarities: Vectors = texts @ asked
        return np.where(are_korean == about_korean, same.scaled(similarities), across.scaled(similarities - usual))

    def directions(self, question: str, asked: Vectors) -> dict[bool, tuple[Vectors, float]]:
        """Return a vector and a number for Korean texts (True) and one for others.

        Their inner product with a text's vector, and the number added, is what ``to_question`` gives, but for its bounds.
        """
        about_korean = is_korean(question)
        same, across = (self._reference.levels[about_korean, of_korean] for of_korean in (about_korean, not about_korean))
        usual: Vectors = self._reference.questions[about_korean].mean(axis=0)
        return {
            about_korean: (asked * np.float32(same.slope), _UNRELATED - same.slope * same.unrelated),
            not about_korean: ((asked - usual) * np.float32(across.slope), _UNRELATED),
        }

    def between(self, texts: Vectors, are_korean: AreKorean, others: Vectors, others_are_korean: AreKorean) -> Vectors:
        """Return how near each of *texts* is to each of *others*, passages all."""
        similarities: Vectors = texts @ others.T
        for one in (True, False):
            for other in (True, False):
                place = np.ix_(are_korean == one, others_are_korean == other)
                similarities[place] = self._reference.between_passages[one, other].scaled(similarities[place])
        return similarities


def directions_to(question: str, embedder: Embedder) -> dict[bool, tuple[Vectors, float]]:
    """Return the directions to *question* by *embedder*, as ``Calibration.directions`` does; raises EmbeddingError."""
    asked, probe = embedder.embed([question, probe_text()], "query")
    return Calibration(embedder, probe).directions(question, asked)


def identify(embedder: Embedder, probe: Vectors | None = None) -> bytes:
    """Return what tells the vectors of *embedder* from those of others under its name; raises EmbeddingError.

    *probe* is its vector of ``probe_text`` as a question, where that is at hand.
    """
    vector = embedder.embed([probe_text()], "query")[0] if probe is None else probe
    return (np.round(vector, _DECIMALS) + 0.0).astype("<f4").tobytes()  # without the sign of a zero


def probe_text() -> str:
    """Return the question by whose vector embedders are told apart."""
    return _texts()[0][0]


def is_korean(text: str) -> bool:
    """Tell whether *text* counts as Korean; a text that only names somebody in Hangul does not."""
    return korean.detect_language(text) == "ko"


def are_korean(texts: Sequence[str]) -> AreKorean:
    """Return which of *texts* are Korean."""
    return np.array([is_korean(text) for text in texts], dtype=np.bool_)


def _reference(embedder: Embedder) -> _Reference:
    korean_questions, korean_passages, english_questions, english_passages = _texts()
    asked = embedder.embed([*korean_questions, *english_questions], "query")
    said = embedder.embed([*korean_passages, *english_passages])
    count = len(korean_questions)
    questions = {True: asked[:count], False: asked[count:]}
    passages = {True: said[:count], False: said[count:]}
    pairs = [(one, other) for one in (True, False) for other in (True, False)]
    levels = {pair: _level(questions[pair[0]] @ passages[pair[1]].T) for pair in pairs}
    apart = {pair: _level(passages[pair[0]] @ passages[pair[1]].T).unrelated for pair in pairs}
    between = {pair: _Level(apart[pair], apart[pair] + levels[pair].answering - levels[pair].unrelated) for pair in pairs}
    return _Reference(questions, levels, between)


def _level(similarities: Vectors) -> _Level:
    """Return what a square of *similarities* reaches: beside its diagonal, and on it."""
    count = len(similarities)
    own = float(np.trace(similarities))
    return _Level((float(similarities.sum()) - own) / (count * (count - 1)), own / count)


@lru_cache(maxsize=1)
def _texts() -> tuple[tuple[str, ...], ...]:
    """Return the shipped Korean questions, Korean passages, English questions and English passages, one subject a place."""
    text = files("search_core.relevance").joinpath("data/calibration.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(tuple(lines[first::4]) for first in range(4))
