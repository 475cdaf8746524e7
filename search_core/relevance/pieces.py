"""Pairs of syllables: what is left of a Korean word when analysers disagree about where it ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import log

from search_core.korean.morphemes import NOUN_TAGS, PREDICATE_TAGS, kiwi
from search_core.relevance.rarity import rarity
from search_core.relevance.words import Word, readable
from search_core.runtime import in_turns

_CONTENT_TAGS = NOUN_TAGS | PREDICATE_TAGS
_HANGUL = re.compile(r"[가-힣]")
_HANGUL_RUN = re.compile(r"[가-힣]{2,}")
_ENDING = 0.08
"""Weight of syllables of particles and endings; the analyser may have cut a word wrongly, so not nothing."""
_K1 = 1.4
_B = 0.65


def piece_scores(question: str, texts: Sequence[str]) -> list[float]:
    """Return for each text the share of the question's weighted pairs of syllables that it holds, in [0, 1]."""
    weights = _weighted_pairs(readable(question))
    if not weights or not texts:
        return [0.0] * len(texts)
    counts = [[text.count(pair) for pair in weights] for text in in_turns(texts)]
    lengths = [len(_HANGUL.findall(text)) for text in texts]
    average = max(1.0, sum(lengths) / len(lengths))
    held = [sum(1 for row in counts if row[column]) for column in range(len(weights))]
    weighed = [weight * _blend(len(texts), number) for weight, number in zip(weights.values(), held, strict=True)]
    total = sum(weighed)
    scores = []
    for row, length in zip(counts, lengths, strict=True):
        damping = _K1 * (1 - _B + _B * length / average)
        scores.append(
            sum(weight * count / (count + damping) for weight, count in zip(weighed, row, strict=True) if count) / total
        )
    return scores


def _blend(texts: int, holding: int) -> float:
    """Return how much a pair counts by how many of the candidates hold it; with few candidates that hardly matters."""
    trust = 0.6 * texts / (texts + 5)
    return 1 - trust + trust * log(1 + (texts - holding + 0.5) / (holding + 0.5)) / 3


def _weighted_pairs(question: str) -> dict[str, float]:
    """Return each pair of syllables of *question* with how telling the words are that it belongs to."""
    telling = [_ENDING] * len(question)
    for token in kiwi().tokenize(question):
        if token.tag in _CONTENT_TAGS:
            value = rarity(Word(token.form.lower(), token.tag, token.id))
            for place in range(token.start, min(token.start + token.len, len(question))):
                telling[place] = max(telling[place], value)
    weights: dict[str, float] = {}
    for run in _HANGUL_RUN.finditer(question):
        for first, second in pairwise(range(run.start(), run.end())):
            pair = question[first] + question[second]
            weights[pair] = max(weights.get(pair, 0.0), (telling[first] + telling[second]) / 2)
    return weights
