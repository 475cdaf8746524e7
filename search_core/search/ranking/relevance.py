"""The probability that a result answers a question about a video, learnt by ``tests/quality/learn_ranking.py``.

A feature depends on one text, one question and one video, not on other results. Texts in another language than the question
share few words with it and have weights of their own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from search_core.search.ranking.lexical import AskedWords
from search_core.search.ranking.meaning import Languages, language_of

Rows = NDArray[np.float64]
OF_TEXT = ("held", "meaning", "bias")
"""Features with a weight for each kind of texts."""
KINDS = ("", "foreign ", "wordless ")
"""Kinds of texts: in the question's language, in another one, and between Japanese and another one, which have no dictionary."""
NAMES = (*(kind + name for kind in KINDS for name in OF_TEXT), "names", "numbers", "off subject")
OF_MEANING = tuple(kind + "meaning" for kind in KINDS)
"""Features that are 0 unless the scorer compares meanings across languages."""
_MOST_BY_PLACE, _MOST_BY_AGE = 0.05, 0.06
"""How much a page's place at a service and its age change a probability of 0.5; others change less. The number of services that
found a page must not matter. On recorded news, both together put the answer .02 higher."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question prepared for comparison with texts."""

    words: AskedWords
    sentence: str
    """The question with its pointing words ("이 회사") replaced, after the words that it leaves to the video."""
    alone: str
    """The same without words of the video, for own documents, most of which are on the video's subject anyway."""
    subject: tuple[str, ...] = ()
    """The video's subject, if the question does not name it."""

    @classmethod
    def of(cls, question: str, sentence: str, alone: str, subject: Sequence[str], of_video: Sequence[str]) -> Asked:
        """Read *question*, and the *subject* that it leaves to its video unless it names a term of *subject* or *of_video*."""
        terms = tuple(dict.fromkeys((*subject, *of_video)))
        if terms and AskedWords(" ".join(terms)).covers([question], terms)[0] > _NAMED:
            return cls(AskedWords(question), sentence or question, alone or question)
        return cls(AskedWords(question), sentence or question, alone or question, tuple(subject))


_NAMED = 0.5
"""A question with more than this share of a term's words names it."""


def read(
    asked: Asked,
    titles: Sequence[str],
    bodies: Sequence[str],
    languages: Languages,
    meaning: Rows | None,
    *,
    of_one_text: bool = False,
) -> tuple[Rows, list[float]]:
    """Return each text's features, and how much of the question's words it has; *meaning* is its nearness in meaning."""
    texts = [f"{title}\n{body}" for title, body in zip(titles, bodies, strict=True)]
    measures, none = asked.words.measures(titles, bodies, of_one_text=of_one_text), np.zeros(len(texts))
    held = asked.words.fuse(measures, texts)
    columns: dict[str, Rows] = {name: np.array(measures[name]) for name in ("names", "numbers")}
    columns |= {"held": np.array(held), "meaning": none if meaning is None else meaning, "bias": none + 1.0}
    asked_in = language_of(asked.words.text)
    kinds = (languages != asked_in) * np.where((languages == "ja") | (asked_in == "ja"), 2, 1)
    columns |= {
        kind + name: (kinds == place) * columns[name] for name in OF_TEXT for place, kind in reversed([*enumerate(KINDS)])
    }
    about = asked.subject
    columns["off subject"] = 1 - np.array(AskedWords(" ".join(about)).covers(texts, about)) if about else none
    return np.column_stack([columns[name] for name in NAMES]), held


def likelihoods(asked: Asked, rows: Rows, places: Rows, ages: Rows, *, meant: bool) -> Rows:
    """Return how likely each of *rows* answers, in [0, 1].

    *places* are 1 for the first of a service's list and lower further down, *ages* 1 for a page of today, -1 for an old one and
    0 if age does not matter. *meant* says whether an embedder compared meanings. If the question has only unknown words,
    texts without any of them get 0.
    """
    chances: Rows = 1.0 / (1.0 + np.exp(-rows @ _weights(meant=meant)))
    chances += 2 * np.sqrt(chances * (1 - chances)) * (_MOST_BY_PLACE * places + _MOST_BY_AGE * ages)
    if not asked.words.understood:
        chances[rows[:, [NAMES.index(kind + "held") for kind in KINDS]].sum(axis=1) == 0] = 0.0
    return np.clip(chances, 0.0, 1.0)


@cache
def _weights(*, meant: bool) -> Rows:
    learnt = json.loads(files("search_core.search.ranking").joinpath("data/relevance.json").read_text(encoding="utf-8"))
    weights = learnt["meaning" if meant else "words"]
    return np.array([weights.get(name, 0.0) for name in NAMES])
