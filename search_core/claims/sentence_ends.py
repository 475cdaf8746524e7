"""Where sentences of spoken English end that no sign ends, by the weights of ``data/sentence_ends.npz``.

A small convolutional network over words, learnt by ``tests/quality/learn_sentence_ends.py``; it needs no model of meaning.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search_core.runtime import in_turns

Floats = NDArray[np.float32]
KNOWN, NUMBERS, ENDINGS = 14_000, 8, 992
"""Rows of words by themselves, of numbers by their lengths, and of other words by their last letters."""
LAYERS = ((5, 1), (3, 2), (3, 4), (3, 6), (3, 1))
"""The width of each layer's window, and how far its words stand apart."""
_AT_ONCE = 1024
"""Words read between two turns of other threads."""
_AROUND = 16
"""Words on both sides that a word is read with."""
_EDGES = re.compile(r"^[^\w$€£%#@+]+|[^\w%$€£#+]+$")
_LAST_LETTERS = 3


@cache
def _learnt() -> tuple[dict[str, int], Mapping[str, Floats], float]:
    """Return the words that have rows of their own, the arrays in 32 bits, and the log odds from which on a sentence ends."""
    with resources.files(__package__).joinpath("data/sentence_ends.npz").open("rb") as stream, np.load(stream) as file:
        words = bytes(file["words"]).decode().split("\n")
        arrays = {name: file[name].astype(np.float32) for name in file.files if file[name].dtype.kind == "f"}
        arrays |= {name: file[name] * arrays[f"{name}.scale"] for name in file.files if file[name].dtype == np.int8}
    return {word: row for row, word in enumerate(words)}, arrays, float(arrays["threshold"][0])


def plain_word(word: str) -> str:
    """Return *word* as it is read: without signs at its edges and capital letters."""
    return _EDGES.sub("", word).lower().replace("’", "'")


def row_of(word: str, known: Mapping[str, int]) -> int:
    """Return the row of a plain word."""
    if (row := known.get(word)) is not None:
        return row
    if any(map(str.isdigit, word)):
        return KNOWN + len(word) % NUMBERS
    return KNOWN + NUMBERS + zlib.crc32(word[-_LAST_LETTERS:].encode()) % ENDINGS


def sentence_end_odds(words: Sequence[str]) -> Floats:
    """Return the log odds that a sentence ends behind each of *words*; from 0 on one does. The last is not asked about."""
    known, arrays, threshold = _learnt()
    rows = np.array([row_of(plain_word(word), known) for word in words], dtype=np.int64)
    odds = np.zeros(len(words), dtype=np.float32)
    for start in in_turns(range(0, len(words), _AT_ONCE)):
        first, last = max(0, start - _AROUND), start + _AT_ONCE
        odds[start:last] = _read(arrays, rows[first : last + _AROUND])[start - first :][: min(_AT_ONCE, len(words) - start)]
    return odds - threshold


def _read(arrays: Mapping[str, Floats], rows: NDArray[np.int64]) -> Floats:
    """Return the log odds that a sentence ends, behind the word of each of *rows*."""
    states: Any = arrays["words.rows"][rows]
    for number, (width, apart) in enumerate(LAYERS):
        reach = width // 2 * apart
        padded = np.pad(states, ((reach, reach), (0, 0)))
        weights = arrays[f"l{number}"]  # a matrix for each word of the window, below each other
        seen = np.hstack([padded[place * apart : place * apart + len(rows)] for place in range(width)])
        read = seen @ weights.reshape(-1, weights.shape[-1]) + arrays[f"l{number}.bias"]
        states = read if number == len(LAYERS) - 1 else np.maximum(read, 0) + (states if number else 0)
    odds: Floats = states[:, 0]
    return odds
