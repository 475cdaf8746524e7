"""Whether an answer begins like one that knows nothing, by its meaning: for the wordings that no cue foresees.

A line through the vector of the answer's beginning and three readable features, learnt by
``tests/quality/learn_unknown_weights.py``; docs/decisions/0037-learnt-not-knowing.md says from what.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from search_core.answering import english_cue_context, korean_cue_context
from search_core.answering.clauses import MASK, normalize
from search_core.korean import has_hangul
from search_core.relevance import Embedder
from search_core.sentences import sentence_spans

BEGINNING_CHARS = {"ko": 100, "en": 160}
"""What is embedded: two or three sentences, some ten milliseconds of one core."""
_SETTINGS = (english_cue_context, korean_cue_context)
_MASKED = re.compile(rf"{MASK}[{MASK}\s]*+")
_MARKUP = re.compile(r"[*_#`>]+")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Weights:
    """What the vector of a beginning and its features add to the log odds that nothing is known."""

    model: str
    """The embedder whose vectors ``vector`` was learnt with; another one's say something else."""
    vector: NDArray[np.float64]
    features: NDArray[np.float64]
    bias: dict[str, float]
    """Of Korean and of other answers: in each language as many answers as may be are taken for none."""


@cache
def shipped_weights() -> Weights:
    """Return the weights that ship."""
    stored = json.loads(resources.files(__package__).joinpath("data/unknown.json").read_text(encoding="utf-8"))
    vector, features = np.array(stored["vector"]), np.array(stored["features"])
    return Weights(model=stored["model"], vector=vector, features=features, bias=stored["bias"])


def begins_unknowing(masked: str, question: str, embedder: Embedder) -> bool:
    """Return whether an answer to *question*, its quotes *masked*, begins like one that knows nothing.

    Never for an *embedder* that the weights were not learnt with. Raises EmbeddingError.
    """
    weights = shipped_weights()
    if embedder.name != weights.model:
        return False
    beginning = beginning_of(masked)
    odds = embedder.embed([beginning])[0] @ weights.vector + read_features(beginning, question) @ weights.features
    return bool(odds + weights.bias[language_of(beginning)] > 0)


def beginning_of(masked: str) -> str:
    """Return the first sentences of an answer whose quotes are *masked*, without marks of emphasis, a dash for each quote."""
    text = " ".join(_MARKUP.sub("", _MASKED.sub("… ", masked)).split())
    most = BEGINNING_CHARS[language_of(text)]
    ends = [end for _, end in sentence_spans(text[: 2 * most]) if end <= most]
    return text[: ends[-1] if ends and ends[-1] > most / 3 else most]


def read_features(beginning: str, question: str) -> NDArray[np.float64]:
    """Return whether *beginning* brings a number that *question* lacks, tells of others, and guesses."""
    text = normalize(beginning)
    return np.array(
        [
            not set(_NUMBER.findall(text)) <= set(_NUMBER.findall(question)),
            any(setting.NO_CUE.search(text) or setting.REPORTED.search(text) for setting in _SETTINGS),
            any(setting.HEDGED.search(text) for setting in _SETTINGS),
        ],
        dtype=np.float64,
    )


def language_of(text: str) -> str:
    """Return by which bias an answer is judged that begins with *text*."""
    return "ko" if has_hangul(text) else "en"
