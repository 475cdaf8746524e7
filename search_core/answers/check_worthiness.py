"""How check-worthy sentences are, by the weights in ``data/worth.json`` (docs/decisions/0029-claims-worth-checking.md)."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from math import log1p
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.answers.regression import Regression, read_weights
from search_core.errors import EmbeddingError
from search_core.language.entities import EntityKind, find_entities
from search_core.language.korean import has_hangul, morphemes, morphemes_of
from search_core.language.statements.proposition import amounts_in, readable_start
from search_core.language.statements.units import COUNTS
from search_core.language.vectors import Embedder
from search_core.runtime import in_turns

_log = logging.getLogger(__name__)

_FIRST, _LAST, _ENDINGS = 0xAC00, 0xD7A3, 28
"""First and last Hangul syllable in Unicode, and the number of final consonants (with none) that each vowel takes."""


class BilingualPattern(NamedTuple):
    """A pattern for words of one meaning in English and Korean."""

    name: str
    english: re.Pattern[str]
    korean: re.Pattern[str]


def _closed_by(ending: int, *, without: str = "") -> str:
    """Return a regular expression for the syllables that end in the final consonant number *ending*, in Unicode's order."""
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


def _read_cues() -> Iterator[BilingualPattern]:
    written = resources.files(__package__).joinpath("data/cues.txt").read_text(encoding="utf-8")
    for block in written.split("\n\n")[1:]:
        name, english, korean = block.strip().splitlines()
        yield BilingualPattern(name.strip("[]"), _compile(english.removeprefix("en ")), _compile(korean.removeprefix("ko ")))


CUES = tuple(_read_cues())
"""Patterns of words that make a sentence more or less check-worthy; weights in ``data/worth.json``."""


Features = NDArray[np.float32]

COUNTED = (
    "figure", "two figures", "measured", "time", "year", "product", "name", "two names", "person", "organisation", "long",
    "very short", "korean",
)  # fmt: skip
NAMES = (*(cue.name for cue in CUES), *COUNTED)
"""The names of the features, in the order of a row."""
_WORD = re.compile(r"\w+")
_KEPT_ROWS = 8_192
"""Most cached rows of features, enough for a day of speech; shared by check-worthiness and sentence classes."""
_TOGETHER = 64
"""Sentences analysed at once, in parallel and without Python's lock."""
_SHORT = {True: 4, False: 5}
"""Least words of a sentence that says something, for Korean (True), whose words are longer, and others."""
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")


def read_features(sentences: Sequence[str]) -> Features:
    """Return ``(n, len(NAMES))``: a row of features, from 0 to about 1, for each sentence."""
    for start in in_turns(range(0, len(sentences), _TOGETHER)):
        texts = map(readable_start, sentences[start : start + _TOGETHER])
        morphemes_of([text for text in texts if has_hangul(text)])  # analysed together, kept for the rows
    rows = [_row(sentence) for sentence in in_turns(sentences)]
    return np.array(rows, dtype=np.float32).reshape(len(sentences), len(NAMES))


@lru_cache(maxsize=_KEPT_ROWS)
def _row(sentence: str) -> Features:
    text = readable_start(sentence)
    korean = has_hangul(text)
    cues = [float((cue.korean if korean else cue.english).search(text) is not None) for cue in CUES]
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


CHECK_WORTHY = 0.5
"""Least score of a sentence that counts as a claim."""
_HOPELESS = 0.02
"""Sentences scored below this by features alone are not embedded, as hardly any would be chosen."""
_AT_ONCE, _AT_ONCE_UNBOUNDED = 32, 128
"""Sentences embedded in one call, with and without a time limit; between two calls other work gets its turn."""
_ASKED = 2.0
"""Log odds taken off a sentence that ends with a question mark: 4 of 801 such sentences of debates are claims."""
_FRAGMENT = 2.0
"""Log odds taken off Korean words without a sentence ending: headings, and sentences cut off by speech recognition."""

_BY_WORDS = 0.3
"""How much figures, times and names raise the score of a sentence that is a claim by its vector."""

Scores = NDArray[np.float64]
Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CheckWorthinessClassifier:
    """Estimates how likely a sentence is to be worth a check, by weights of its features and of its vector."""

    model: str
    """Name of the embedder that ``vector`` was learnt with; vectors of others cannot be used."""
    vector: NDArray[np.float64]
    by_features: Regression
    by_meaning: Regression
    """Weights of a row of features followed by the sentence's vector."""


@dataclass(frozen=True, slots=True)
class CheckWorthiness:
    """The scores of sentences, and how they were computed."""

    scores: tuple[float, ...]
    """In [0, 1], one for each sentence, in order."""
    by_meaning: float
    """The share in [0, 1] of the possibly check-worthy sentences that the model read."""
    vectors: Mapping[int, Vector] = field(default_factory=dict)
    """Vectors of the embedded sentences, by their index; empty if the embedder is not the one of the weights."""


@cache
def shipped_weights() -> CheckWorthinessClassifier:
    """Return the classifier with the weights of ``data/worth.json``."""
    stored = read_weights("worth")
    vector = np.array(stored["vector"])
    alone, beside = (np.array([stored[name][feature] for feature in NAMES]) for name in ("alone", "with_vector"))
    return CheckWorthinessClassifier(
        model=stored["model"],
        vector=vector,
        by_features=Regression(alone, stored["bias_alone"]),
        by_meaning=Regression(np.hstack([beside, vector]), stored["bias_with_vector"]),
    )


def score_check_worthiness(
    sentences: Sequence[str],
    embedder: Embedder | None = None,
    *,
    within_s: float = float("inf"),
    clock: Callable[[], float] = time.monotonic,
) -> CheckWorthiness:
    """Return the check-worthiness of each of *sentences*.

    *embedder* reads the likeliest sentences first, for at most *within_s* seconds. The rest are judged by features alone, and so
    are all of them if it fails or is not the embedder that the weights were learnt with.
    """
    weights = shipped_weights()
    features = read_features(sentences)
    odds = weights.by_features.odds(features)
    by_meaning, vectors = 0.0, dict[int, Vector]()
    if embedder is not None and embedder.name == weights.model:
        by_meaning = _add_meaning(odds, features, sentences, embedder, vectors, clock() + within_s, clock)
    odds -= _ASKED * np.array([sentence.rstrip(" \"'”’)").endswith(("?", "？")) for sentence in sentences], dtype=np.float64)
    odds -= _FRAGMENT * np.array([_is_fragment(sentence) for sentence in sentences], dtype=np.float64)
    return CheckWorthiness(tuple(float(score) for score in 1 / (1 + np.exp(-odds))), by_meaning, vectors)


def _add_meaning(
    odds: Scores,
    features: Features,
    sentences: Sequence[str],
    embedder: Embedder,
    read: dict[int, Vector],
    until: float,
    clock: Callable[[], float],
) -> float:
    """Replace the *odds* of the likeliest sentences by odds with vectors until *until*; return the share replaced."""
    least = np.log(_HOPELESS / (1 - _HOPELESS))
    likely = [int(place) for place in np.argsort(-odds, kind="stable") if odds[place] >= least]
    at_once = _AT_ONCE if np.isfinite(until) else _AT_ONCE_UNBOUNDED
    for start in range(0, len(likely), at_once):
        if clock() >= until:
            return start / len(likely)
        places = likely[start : start + at_once]
        try:
            vectors = embedder.embed([sentences[place] for place in places])
        except EmbeddingError as error:
            _log.warning("Sentences are judged by their words alone: %s", error)
            return start / len(likely)
        read |= dict(zip(places, vectors, strict=True))
        by_meaning = shipped_weights().by_meaning.odds(np.hstack([features[places], vectors]))
        odds[places] = by_meaning + np.where(by_meaning > 0, _BY_WORDS * np.maximum(0, odds[places]), 0)
    return 1.0


def _is_fragment(sentence: str) -> bool:
    """Return whether the Korean words end in a noun, a particle or an adnominal verb."""
    if not has_hangul(sentence):
        return False
    words = [word for word in morphemes(readable_start(sentence)) if not word.tag.startswith("S") or word.tag in ("SL", "SN")]
    return bool(words) and words[-1].tag.startswith(("N", "J", "ETM", "SL", "SN", "XSN", "MM")) and words[-1].form != "요"
