"""Texts as content words for matching, fast enough for a thousand results.

Kiwi takes a millisecond to analyse the sentences of a result. Ranking analyses word by word instead and remembers each word; on
the development sets this ranks as well.

How informative a word is comes from Kiwi, which numbers its morphemes by frequency, the most frequent first: by Zipf's law the
logarithm of the number is the information (kiwipiepy_model 0.24.0: 70,488 numbered, function morphemes below 100).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, islice
from math import log
from typing import NamedTuple

import numpy as np
import Stemmer  # type: ignore[import-not-found]  # ships no types
from numpy.typing import NDArray

from search_core.language import data_lines, korean
from search_core.language.korean.morphemes import CONTENT_TAGS, kiwi
from search_core.runtime import Lazy, Recent, in_turns

_KEPT_WORDS = 60_000
"""Words remembered, the vocabulary of some thousand result lists: about 30 MB."""
_LONGEST_WORD = 60
"""Longest run without a space that is analysed; longer ones are addresses and encoded data."""
LATIN = "SL"
_HALVES = re.compile("[\ud800-\udfff]")


class Word(NamedTuple):
    """One content morpheme: its form in lower case (Latin words as stems), Kiwi's tag and its number in Kiwi's model."""

    form: str
    tag: str
    number: int


_KEPT_CHARS = 500_000
"""Characters of texts remembered, some ten result lists: each is read several times while services answer."""
_read: Recent[str, tuple[Word, ...]] = Recent(_KEPT_CHARS, size=len)
_seen: dict[str, tuple[Word, ...]] = {}
_stemmers = threading.local()
"""One Snowball stemmer for each thread, because a stemmer stores the word it works on."""


def words_of(texts: Iterable[str]) -> list[tuple[Word, ...]]:
    """Return the content words of each text in order, with duplicates; new words are analysed together."""
    texts = list(texts)
    by_text = {text: words for text in texts if (words := _read.get(text)) is not None}
    split = {text: [piece[:_LONGEST_WORD] for piece in readable(text).split()] for text in in_turns(texts) if text not in by_text}
    by_piece = _content_words(dict.fromkeys(chain.from_iterable(split.values())))
    for text, pieces in in_turns(split.items()):
        by_text[text] = tuple(chain.from_iterable([by_piece[piece] for piece in pieces]))
        _read.put(text, by_text[text])
    return [by_text[text] for text in texts]


def _content_words(pieces: Iterable[str]) -> dict[str, tuple[Word, ...]]:
    """Return the content words of each piece, as a copy, because another search may drop old words meanwhile."""
    by_piece = {piece: words for piece in pieces if (words := _seen.get(piece)) is not None}
    unseen = [piece for piece in pieces if piece not in by_piece]
    if unseen:
        for piece, tokens in in_turns(zip(unseen, kiwi().tokenize(unseen), strict=True)):
            by_piece[piece] = _seen[piece] = tuple(
                Word(stem(token.form), LATIN, token.id) if token.tag == LATIN else Word(token.form.lower(), token.tag, token.id)
                for token in tokens
                if token.tag in CONTENT_TAGS
            )
    return by_piece


def forget_old_words() -> None:
    """Drop the oldest words when too many are cached."""
    surplus = len(_seen) - _KEPT_WORDS
    if surplus > 0:
        for piece in list(islice(_seen, surplus + _KEPT_WORDS // 4)):
            _seen.pop(piece, None)


def readable(text: str) -> str:
    """Return *text* in NFC without lone surrogates, which neither Kiwi nor a model can read."""
    return _HALVES.sub("\ufffd", korean.normalize(text))


def stem(word: str) -> str:
    """Return an English word in lower case without its inflection (Snowball's English stemmer)."""
    if not hasattr(_stemmers, "english"):
        _stemmers.english = Stemmer.Stemmer("english")
    return str(_stemmers.english.stemWord(word.lower()))


FIRST_NUMBER = 100
"""Number of the first content morpheme; lower ones are function morphemes and classes of unknown words."""
LAST_NUMBER = 70_487
_FLOOR = 2.0
_CEILING = log(LAST_NUMBER)
_LEAST = 0.05
_UNKNOWN = 0.76
"""Rarity of a noun that Kiwi does not know: mostly a name, sometimes a mistake of the analyser."""
_DIGITS = 0.45
_COMMON_ENGLISH = 0.4
_ENGLISH = 0.8


@lru_cache(maxsize=65_536)
def rarity(word: Word) -> float:
    """Return how informative *word* is, from 0.05 (not at all) to 1."""
    if FIRST_NUMBER <= word.number <= LAST_NUMBER:
        return max(_LEAST, (log(word.number) - _FLOOR) / (_CEILING - _FLOOR))
    if word.tag == LATIN:
        if len(word.form) == 1 or word.form in _read_stems("function"):
            return _LEAST
        return _COMMON_ENGLISH if word.form in _read_stems("common") else _ENGLISH
    return _DIGITS if word.tag == "SN" else _UNKNOWN


_FIRST_RANK, _LAST_RANK = 60, 6_000
"""Ranks of English words by frequency: up to the first, words tell nothing; words not in the list of 3,000 get the last."""


@lru_cache(maxsize=16_384)
def rarity_in_english(word: str) -> float:
    """Return how informative a Latin word is by its rank among frequent English words, from 0.05 to 1."""
    rank = _english_ranks().get(stem(word), _LAST_RANK)
    return max(_LEAST, log(max(1, rank) / _FIRST_RANK) / log(_LAST_RANK / _FIRST_RANK))


@cache
def _english_ranks() -> dict[str, int]:
    listed = chain.from_iterable(map(str.split, data_lines("english_frequency.txt")))
    return {stem(word): rank for rank, word in enumerate(listed, start=1)}


@cache
def _read_stems(kind: str) -> frozenset[str]:
    return frozenset(stem(word) for line in data_lines(f"english_{kind}.txt") for word in line.split())


DIMENSIONS = 256
LANDMARKS = range(600, 38_000, 125)
"""300 morphemes from frequent to rare: more than the 256 dimensions, because some are not independent."""


class MorphemeVectors:
    """Returns vectors of morphemes by number, computed once: unit rows, without their common component.

    Kiwi's CoNgram model (kiwipiepy 0.24) holds a 256-dimensional vector for each numbered morpheme and tells the inner product of
    any two, but not the vectors. Those follow, up to a rotation, from the inner products with enough independent landmarks
    (classical scaling: K = V V', so the rows of K(x, landmarks) · K^(-1/2) have the inner products asked for).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[int, int] = {}
        self._matrix: NDArray[np.float32] = np.zeros((4096, DIMENSIONS), dtype=np.float32)
        with files("search_core.language").joinpath("data/morpheme_space.npz").open("rb") as file, np.load(file) as space:
            self._unfold, self._common = space["unfold"], space["common"]

    def rows(self, numbers: Sequence[int]) -> NDArray[np.intp]:
        """Return the rows of ``matrix`` with the vectors of *numbers*, which ``known`` must accept."""
        with self._lock:
            unseen = [number for number in dict.fromkeys(numbers) if number not in self._rows]
            if unseen:
                self._recover(unseen)
            return np.fromiter((self._rows[number] for number in numbers), dtype=np.intp, count=len(numbers))

    @property
    def matrix(self) -> NDArray[np.float32]:
        """Return the vectors computed so far, one a row; it only grows."""
        return self._matrix

    def _recover(self, numbers: Sequence[int]) -> None:
        vectors = inner_products(numbers) @ self._unfold - self._common
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        first = len(self._rows)
        if first + len(numbers) > len(self._matrix):
            grown: NDArray[np.float32] = np.zeros((2 * (first + len(numbers)), DIMENSIONS), dtype=np.float32)
            grown[:first] = self._matrix[:first]
            self._matrix = grown
        self._matrix[first : first + len(numbers)] = vectors
        self._rows.update(zip(numbers, range(first, first + len(numbers)), strict=True))


def known(number: int) -> bool:
    """Return whether Kiwi's model has a vector for the morpheme."""
    return FIRST_NUMBER <= number <= LAST_NUMBER


def inner_products(numbers: Sequence[int]) -> NDArray[np.float64]:
    """Return a row for each morpheme: the inner products of its vector with those of the landmarks."""
    similarity = kiwi().morpheme_similarity
    return np.array([[1.0 if a == b else similarity(a, b) for b in LANDMARKS] for a in numbers])


morpheme_vectors = Lazy(MorphemeVectors)
"""The one ``MorphemeVectors`` of the process, created on first use."""
