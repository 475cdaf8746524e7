"""How telling a word is, from word statistics that ship with Kiwi.

Kiwi numbers the morphemes of its language model by frequency in its training corpus, the most frequent first, so that by Zipf's
law the logarithm of the number is the information a morpheme carries. (kiwipiepy_model 0.24.0: 70,488 numbered morphemes,
function morphemes below 100.)
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from math import log

from search_core.relevance.words import LATIN, Word, stem

FIRST_NUMBER = 100
"""Numbers below belong to function morphemes and stand for whole classes of unknown words."""
LAST_NUMBER = 70_487
_FLOOR = 2.0
_CEILING = log(LAST_NUMBER)
_LEAST = 0.05
_UNKNOWN = 0.76
"""A noun Kiwi does not know: mostly a name, sometimes a slip of the analyser."""
_DIGITS = 0.45
_COMMON_ENGLISH = 0.4
_ENGLISH = 0.8


@lru_cache(maxsize=65_536)
def rarity(word: Word) -> float:
    """Return how telling *word* is, from 0.05 (says nothing) to 1."""
    if FIRST_NUMBER <= word.number <= LAST_NUMBER:
        return max(_LEAST, (log(word.number) - _FLOOR) / (_CEILING - _FLOOR))
    if word.tag == LATIN:
        return _english_rarity(word.form)
    return _DIGITS if word.tag == "SN" else _UNKNOWN


def _english_rarity(form: str) -> float:
    if len(form) == 1 or form in _read_stems("function"):
        return _LEAST
    return _COMMON_ENGLISH if form in _read_stems("common") else _ENGLISH


@cache
def _read_stems(kind: str) -> frozenset[str]:
    text = files("search_core.relevance").joinpath(f"data/english_{kind}.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(stem(word) for line in lines for word in line.split())
