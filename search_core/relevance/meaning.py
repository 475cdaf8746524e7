"""What texts mean to an embedder, and how far that counts beside their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from search_core import korean
from search_core.relevance.calibration import Calibration, Languages, language_of, languages_of
from search_core.relevance.embedder import TRAINED, Embedder, Vectors
from search_core.relevance.windows import SPOKEN_WINDOW_CHARS, WINDOW_CHARS, windows_of

_ONE_LANGUAGE = 0.5
"""How much meaning says of a text's nearness to the question, beside the words, in the question's language. Measured with
multilingual-e5-small on hard candidates: at .4 short Korean passages lose a point of nDCG@10, at .6 long ones lose two."""
_LESS_WHEN_LONGER = 0.1
"""Off for each further ``WINDOW_CHARS`` of a text: the more windows there are, the more often one is near by chance, while more
words tell more. (AutoRAG, 870 letters a passage: .926, without it .906.)"""
_LEAST = 0.3
_OF_ONE_TEXT = 0.1
"""The same for passages of one talk or page, which are near in meaning all of them. Answer in the first passage (KorQuAD): .907
at .1, .900 at .2, .880 at .3."""
_ACROSS = 0.6
"""The same for a text in another language, where names, a glossary and a dictionary are left of the words. Korean questions on
English passages: .910 by words alone, .993 at .5, 1.0 at .6, .996 at .7, .973 by meaning alone."""
_WORDLESS = 0.9
"""The same between Japanese and another language, without glossary and dictionary: numbers and Latin names alone are compared."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Texts as vectors, long ones in several."""

    texts: tuple[str, ...]
    vectors: Vectors
    firsts: NDArray[np.intp]
    """Where the vectors of each text begin."""
    languages: Languages
    """Of the text of each vector."""
    embedder: Embedder
    of_one_text: bool

    @classmethod
    def of(cls, texts: Sequence[str], embedder: Embedder, *, of_one_text: bool = False) -> Meaning:
        """Embed *texts*, which may be passages *of_one_text*; raises EmbeddingError."""
        windows = [embedded_as(text, embedder, SPOKEN_WINDOW_CHARS if of_one_text else WINDOW_CHARS) for text in texts]
        firsts = np.cumsum([0, *map(len, windows)])[:-1]
        flat = [window for each in windows for window in each]
        return cls(tuple(texts), embedder.embed(flat), firsts, languages_of(flat), embedder, of_one_text)

    def shares(self, question: str) -> list[float]:
        """Return for each text which share meaning has in its nearness to *question*; none where the embedder sees none."""
        reach = self.embedder.reach
        if not reach.across_scripts:
            hangul = korean.has_hangul(question)
            return [reach.trust * _ONE_LANGUAGE if korean.has_hangul(text) == hangul else 0.0 for text in self.texts]
        asked = language_of(question)
        across = [_WORDLESS if "ja" in (asked, language) else _ACROSS for language in self.languages[self.firsts]]
        same = self.languages[self.firsts] == asked
        return [
            reach.trust * (self._share_in_one_language(text) if in_same else share)
            for text, in_same, share in zip(self.texts, same, across, strict=True)
        ]

    def to_question(self, question: str) -> Vectors:
        """Return how near each text is to *question*, in [0, 1]: the nearest of its windows counts; raises EmbeddingError."""
        asked = self.embedder.embed([question], "query")[0]
        return self._nearest(self._calibration().to_question(question, asked, self.vectors, self.languages))

    def to_passages(self, vectors: Vectors, languages: Languages) -> Vectors:
        """Return a row for each text: how near it is to each passage, in [0, 1]."""
        return self._nearest(self._calibration().between(self.vectors, self.languages, vectors, languages))

    def first_vectors(self) -> tuple[Vectors, Languages]:
        """Return a vector for each text, of its beginning, and their languages."""
        return self.vectors[self.firsts], self.languages[self.firsts]

    def _share_in_one_language(self, text: str) -> float:
        if self.of_one_text:
            return _OF_ONE_TEXT
        further = max(0, ceil(len(text) / WINDOW_CHARS) - 1)
        return max(_LEAST, _ONE_LANGUAGE - _LESS_WHEN_LONGER * further)

    def _calibration(self) -> Calibration:
        return Calibration(self.embedder)

    def _nearest(self, near: Vectors) -> Vectors:
        nearest: Vectors = np.maximum.reduceat(near, self.firsts, axis=0)
        return nearest


def embedded_as(text: str, embedder: Embedder, window_chars: int = WINDOW_CHARS) -> list[str]:
    """Return the texts as which *embedder* reads *text*: in windows, or whole where it sums up words."""
    return windows_of(text, window_chars) if embedder.reach == TRAINED else [text]
