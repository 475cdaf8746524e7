"""A sentence as numbers that can be read: which cues it holds, and what of it can be counted, dated and named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from math import log1p

import numpy as np
from numpy.typing import NDArray

from search_core.runtime import in_turns
from search_core.stance.claim import amounts_in, claim_text
from search_core.stance.units import COUNTS
from search_core.text.entities import EntityKind, find_entities
from search_core.text.korean import has_hangul, morphemes_of

_FIRST, _LAST, _ENDINGS = 0xAC00, 0xD7A3, 28
"""The syllables of Hangul and how many each vowel has, as Unicode orders them."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Words and endings that mean one thing in both languages."""

    name: str
    english: re.Pattern[str]
    korean: re.Pattern[str]

    def is_in(self, text: str, *, korean: bool) -> bool:
        """Return whether *text* holds the cue."""
        return (self.korean if korean else self.english).search(text) is not None


def _closed_by(ending: int, *, without: str = "") -> str:
    """Return the class of the syllables that close with the consonant of that number, in the order of Unicode."""
    return "[" + "".join(chr(code) for code in range(_FIRST + ending, _LAST + 1, _ENDINGS) if chr(code) not in without) + "]"


_PARTS = {
    "<WORD>": r"(?<![가-힣])",
    "<END>": r"[\s.!?…~]*$",
    "<N>": _closed_by(4),
    "<L>": _closed_by(8),
    "<B>": _closed_by(17),
    "<PAST>": _closed_by(20, without="있겠"),
}


def _compile(pattern: str) -> re.Pattern[str]:
    for name, part in _PARTS.items():
        pattern = pattern.replace(name, part)
    return re.compile(pattern, re.IGNORECASE)


def _read() -> tuple[Cue, ...]:
    written = resources.files(__package__).joinpath("data/cues.txt").read_text(encoding="utf-8")
    cues = []
    for block in written.split("\n\n")[1:]:
        name, english, korean = block.strip().splitlines()
        cues.append(Cue(name.strip("[]"), _compile(english.removeprefix("en ")), _compile(korean.removeprefix("ko "))))
    return tuple(cues)


CUES = _read()
"""Their weights are in ``data/worth.json``."""


Features = NDArray[np.float32]

COUNTED = (
    "figure", "two figures", "measured", "time", "year", "product", "name", "two names", "person", "organisation", "long",
    "very short", "korean",
)  # fmt: skip
NAMES = (*(cue.name for cue in CUES), *COUNTED)
"""The names of the features, in the order of a row."""
_WORD = re.compile(r"\w+")
_KEPT_ROWS = 8_192
"""Rows of a day of speech: whether a sentence is worth a check and whether it stands alone are read from the same."""
_TOGETHER = 64
"""Sentences that are analysed at once, beside each other and without Python's lock."""
_SHORT = {True: 4, False: 5}
"""Words below which a sentence hardly says anything; Korean ones are longer."""
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")


def read_features(sentences: Sequence[str]) -> Features:
    """Return ``(n, len(NAMES))``, a row for each sentence, with numbers from 0 to about 1."""
    for start in in_turns(range(0, len(sentences), _TOGETHER)):
        texts = map(claim_text, sentences[start : start + _TOGETHER])
        morphemes_of([text for text in texts if has_hangul(text)])  # analysed together, kept for the rows
    rows = [_row(sentence) for sentence in in_turns(sentences)]
    return np.array(rows, dtype=np.float32).reshape(len(sentences), len(NAMES))


@lru_cache(maxsize=_KEPT_ROWS)
def _row(sentence: str) -> Features:
    text = claim_text(sentence)
    korean = has_hangul(text)
    cues = [float(cue.is_in(text, korean=korean)) for cue in CUES]
    amounts = amounts_in(text, None)
    figures = [*amounts.figures, *(() if korean else amounts.spelt)]
    named = find_entities(text)
    kinds = [entity.kind for entity in named]
    names = len(named) if korean else max(len(named), len(_CAPITAL.findall(text)))
    words = len(_WORD.findall(text))
    row = [
        *cues,
        float(bool(figures)),
        float(len(figures) > 1),
        float(any(figure.dimension not in COUNTS for figure in amounts.figures)),
        float(bool(amounts.periods)),
        float(any(period.year is not None for period in amounts.periods)),
        float(bool(amounts.codes)),
        float(names > 0),
        float(names > 1),
        float(EntityKind.PERSON in kinds),
        float(EntityKind.ORGANIZATION in kinds),
        log1p(words * (1.6 if korean else 1.0)) / 4,
        float(words < _SHORT[korean]),
        float(korean),
    ]
    return np.array(row, dtype=np.float32)
