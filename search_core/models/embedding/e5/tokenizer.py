"""Texts into XLM-RoBERTa's pieces of words, in some megabytes: a trie of 250,000 pieces takes two hundred.

A piece is known by a hash of its letters, and a table of hashes says which stretches of a text are pieces. Of these the likeliest
row is taken, word by word (Unigram, Kudo 2018); a letter in no piece is unknown, several in a row are one unknown piece.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search_core.models.embedding.e5.weights_file import Pieces

_SPACES = re.compile(" {2,}")
_WORD = "▁"
"""What a space becomes; a word begins with it."""
_BASE = np.uint64(0x9E3779B97F4A7C15)
"""Base of the hash, an odd number: letters are the digits of a number to this base, in 64 bits."""
_SHIFT = np.uint64(42)
"""Leaves 22 of the 64 bits."""
_AT_ONCE = 10_000
"""Pieces hashed in one step."""
_UNKNOWN_COST = 10.0
"""How far below the unlikeliest piece an unknown letter is."""

Hashes = NDArray[np.uint64]


class PieceTokenizer:
    """Cuts texts into pieces; a space becomes ``▁``."""

    def __init__(self, pieces: Pieces, longest: int) -> None:
        """Take the pieces and the maximum number of tokens of a text, special ones included; the rest is cut off."""
        self._first, self._last, self._unknown = pieces.first, pieces.last, pieces.unknown
        self._replacements = pieces.replacements
        self._longest = longest
        self._most_letters = int(pieces.lengths.max(initial=1))
        letters, ends = _letters(pieces.text), np.cumsum(pieces.lengths)
        hashes = np.zeros(len(ends), dtype=np.uint64)
        for some in np.array_split(np.arange(len(ends)), len(ends) // _AT_ONCE + 1):
            first = int((ends - pieces.lengths)[some[0]])
            stretches = _hash_stretches(letters[first : int(ends[some[-1]])], self._most_letters)
            hashes[some] = stretches[(ends - pieces.lengths)[some] - first, pieces.lengths[some] - 1]
        self._numbers = np.argsort(hashes).astype(np.int32)
        self._hashes = hashes[self._numbers]
        self._taken = np.zeros(1 << 64 - int(_SHIFT), dtype=np.bool_)
        """By the first 22 bits of a hash, whether any piece has one that begins so; rules out most stretches quickly."""
        self._taken[hashes >> _SHIFT] = True
        self._scores = np.append(pieces.scores.astype(np.float64), pieces.scores.min(initial=0.0) - _UNKNOWN_COST)
        """By number; the last is that of an unknown letter."""

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token numbers of each text, with start and end tokens."""
        return [[self._first, *self._cut(text)[: self._longest - 2], self._last] for text in texts]

    def encode_pairs(self, pairs: Sequence[tuple[str, str]], longest: int) -> list[list[int]]:
        """Return at most *longest* token numbers for each pair: its two texts with two end tokens in between.

        Of a longer pair, ends are left out; the statement keeps half of the room, and more where the window is shorter.
        """
        coded = []
        for pair in pairs:
            window, statement = map(self._cut, pair)
            room = longest - 4
            length = max(room - len(window), min(len(statement), room // 2))
            beginning = statement[:length]
            coded.append([self._first, *window[: room - len(beginning)], self._last, self._last, *beginning, self._last])
        return coded

    def encode_words(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """Return the token numbers of *words* between start and end tokens, and the place of each word's last one."""
        numbers, places = [self._first], []
        for word in words:
            numbers += self._cut(word)
            places.append(min(len(numbers), self._longest - 1) - 1)
        return [*numbers[: self._longest - 1], self._last], places

    def _cut(self, text: str) -> list[int]:
        """Return the numbers of the likeliest pieces of *text*."""
        read = _SPACES.sub(" ", text.translate(self._replacements)).replace(" ", _WORD)
        if not read:
            return []
        read = read if read.startswith(_WORD) else _WORD + read
        best, arrived = [0.0] + [-np.inf] * len(read), [(0, 0)] * (len(read) + 1)
        for start, reach, number, score in zip(*self._candidates(read), strict=True):
            end = start + reach + 1
            likelihood = score if read[start] == _WORD else best[start] + score
            if likelihood > best[end]:
                best[end], arrived[end] = likelihood, (start, number)
        return self._trace(arrived)

    def _trace(self, arrived: list[tuple[int, int]]) -> list[int]:
        """Return the pieces that lead to the end; *arrived* says by which piece, and from where, each place was reached."""
        numbers: list[int] = []
        at = len(arrived) - 1
        while at:
            at, number = arrived[at]
            if number != self._unknown or numbers[-1:] != [number]:
                numbers.append(number)
        return numbers[::-1]

    def _candidates(self, read: str) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
        """Return start, length less 1, number and score of each piece that occurs, by start, then by length."""
        hashes = _hash_stretches(_letters(read), self._most_letters)
        starts, reaches = np.nonzero(self._taken[hashes >> _SHIFT])
        candidates = hashes[starts, reaches]
        places = np.minimum(np.searchsorted(self._hashes, candidates), len(self._hashes) - 1)
        are_pieces = (self._hashes[places] == candidates) & (starts + reaches < len(read))
        table = np.full(hashes.shape, -1, dtype=np.int32)
        table[starts[are_pieces], reaches[are_pieces]] = self._numbers[places[are_pieces]]
        unknown = table[:, 0] < 0
        table[unknown, 0] = self._unknown
        starts, reaches = np.nonzero(table >= 0)
        numbers = table[starts, reaches]
        scores = self._scores[np.where(unknown[starts] & (reaches == 0), -1, numbers)]
        return starts.tolist(), reaches.tolist(), numbers.tolist(), scores.tolist()


def _letters(text: str) -> Hashes:
    return np.frombuffer(text.encode("utf-32-le"), "<u4").astype(np.uint64)


def _hash_stretches(letters: Hashes, most: int) -> Hashes:
    """Return ``(letters, most)``: the hashes of the stretches of 1 to *most* letters from each place; past the end is nothing."""
    padded = np.append(letters, np.zeros(most, dtype=np.uint64))
    digits = np.lib.stride_tricks.sliding_window_view(padded, most)[:-1]
    return np.cumsum(digits * _BASE ** np.arange(most, dtype=np.uint64), axis=1, dtype=np.uint64)
