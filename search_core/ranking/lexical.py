"""How much of what a question asks for a text holds, in its own words, close ones and words of the other script.

Five measures in [0, 1]: BM25 over morphemes with shipped word statistics (a list of candidates is too short to tell which words
are rare), asked words that stand side by side, the best short stretch of the text, words close in meaning by Kiwi's vectors, and
BM25 over pairs of syllables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log

import numpy as np

from search_core.ranking.equivalents import equivalents
from search_core.runtime import in_turns
from search_core.text import korean
from search_core.text.korean.morphemes import CONTENT_TAGS, kiwi
from search_core.text.words import Word, known, morpheme_vectors, rarity, readable, words_of

_HANGUL = re.compile(r"[가-힣]+")
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
    lengths = [sum(map(len, _HANGUL.findall(text))) for text in texts]
    held = [sum(1 for row in counts if row[column]) for column in range(len(weights))]
    trust = _trust_in(len(texts))
    among = [1 - trust + trust * _rarity_among(len(texts), number) for number in held]
    weighed = [weight * rare for weight, rare in zip(weights.values(), among, strict=True)]
    return _bm25(counts, lengths, weighed, max(1.0, sum(lengths) / len(lengths)))


def _trust_in(texts: int) -> float:
    """Return how much it says, in [0, 1], how many of the candidates hold a word; of few candidates hardly anything."""
    return 0.6 * texts / (texts + 5)


def _rarity_among(texts: int, holding: int) -> float:
    """Return how telling a word is of which so many candidates hold it."""
    return log(1 + (texts - holding + 0.5) / (holding + 0.5)) / 3


def _bm25(counts: Sequence[Sequence[float]], lengths: Sequence[float], weights: Sequence[float], average: float) -> list[float]:
    """Return for each text, by how often it holds each word, the share of their weights that it reaches."""
    total = sum(weights)
    scores = []
    for row, length in zip(counts, lengths, strict=True):
        damping = _K1 * (1 - _B + _B * length / average)
        scores.append(
            sum(weight * count / (count + damping) for weight, count in zip(weights, row, strict=True) if count) / total
        )
    return scores


def _weighted_pairs(question: str) -> dict[str, float]:
    """Return each pair of syllables of *question* with how telling the words are that it belongs to."""
    telling = [_ENDING] * len(question)
    for token in kiwi().tokenize(question):
        if token.tag in CONTENT_TAGS:
            value = rarity(Word(token.form.lower(), token.tag, token.id))
            for place in range(token.start, min(token.start + token.len, len(question))):
                telling[place] = max(telling[place], value)
    weights: dict[str, float] = {}
    for run in _HANGUL_RUN.finditer(question):
        for first, second in pairwise(range(run.start(), run.end())):
            pair = question[first] + question[second]
            weights[pair] = max(weights.get(pair, 0.0), (telling[first] + telling[second]) / 2)
    return weights


_TITLE_WEIGHT = 2
_USUAL_LENGTH = 60.0
"""Content words of a snippet; keeps lengths meaningful among few candidates."""
_SIDE_BY_SIDE = 3
_STRETCH_WORDS = 30
_CLOSE = 0.35
"""Similarity at which two words begin to be close; unrelated ones stay below."""

_WEIGHTS = {"words": 0.65, "pieces": 0.4, "close": 0.4, "pairs": 0.15, "stretch": 0.2}
"""Found by coordinate ascent on the development sets; each adds half a point to a point of nDCG@10."""
_ONE_SCRIPT = frozenset({"pieces", "close"})
_SCALE = 0.3
"""Passages that answer a question reach .2 to .5 of the raw measure, passages on something else .0 to .1; this scale puts .35
between."""


@dataclass(frozen=True, slots=True)
class _Matches:
    """Holds where a text has asked words: (place in the text, number of the asked word), in order."""

    places: list[tuple[int, int]]
    counts: list[float]
    length: float


class AskedWords:
    """A question as weighted words, ready to be looked for in texts."""

    def __init__(self, question: str) -> None:
        self.text = question
        in_order = words_of([question])[0]
        self.words: list[Word] = list({word.form: word for word in in_order}.values())
        numbers = {word.form: number for number, word in enumerate(self.words)}
        self.order = [numbers[word.form] for word in in_order]
        self.rarity = [rarity(word) for word in self.words]

    def scores(self, titles: Sequence[str], bodies: Sequence[str]) -> list[float]:
        """Return for each text how much of the question it holds, in [0, 1]."""
        if not self.words or not bodies:
            return [0.0] * len(bodies)
        texts = [f"{title}\n{body}" for title, body in zip(titles, bodies, strict=True)]
        said = words_of(texts)
        found = self.forms_in(set().union(*said))
        matches = [
            _matches(found, words, len(title), len(self.words)) for title, words in zip(words_of(titles), said, strict=True)
        ]
        weights = self._weights(matches)
        lengths = [match.length for match in matches]
        usual = (sum(lengths) + _USUAL_LENGTH) / (len(lengths) + 1)
        measures = {
            "words": _bm25([match.counts for match in matches], lengths, weights, usual),
            "pairs": [_pair_score(self.order, match, weights) for match in in_turns(matches)],
            "stretch": [_stretch_score(match, weights) for match in in_turns(matches)],
            "close": self._close_scores(matches, said, weights),
        }
        if korean.has_hangul(self.text):
            measures["pieces"] = piece_scores(self.text, [readable(text) for text in texts])
        return _fuse(measures, [self.foreign(text) for text in texts])

    def foreign(self, text: str) -> bool:
        """Return whether *text* is in another script than the question, so that only names and the glossary connect them."""
        return korean.has_hangul(self.text) != korean.has_hangul(text)

    def forms_in(self, vocabulary: set[Word]) -> dict[str, int]:
        """Return which forms of *vocabulary* stand for which asked word: itself, or its name in the other script."""
        found = {word.form: number for number, word in enumerate(self.words)}
        for number, forms in equivalents(self.words, vocabulary, any_sense=True).items():
            for form in forms:
                found.setdefault(form, number)
        return found

    def _weights(self, matches: Sequence[_Matches]) -> list[float]:
        texts = len(matches)
        trust = _trust_in(texts)
        held = [sum(1 for match in matches if match.counts[number]) for number in range(len(self.rarity))]
        return [
            (1 - trust) * telling + trust * _rarity_among(texts, holding)
            for telling, holding in zip(self.rarity, held, strict=True)
        ]

    def _close_scores(
        self, matches: Sequence[_Matches], texts: Sequence[Sequence[Word]], weights: Sequence[float]
    ) -> list[float]:
        asked = [number for number, word in enumerate(self.words) if known(word.number)]
        vocabulary = list({word.number for words in texts for word in words if known(word.number)})
        if not asked or not vocabulary:
            return [0.0] * len(texts)
        vectors = morpheme_vectors()
        rows = vectors.rows([*(self.words[number].number for number in asked), *vocabulary])
        similarity = vectors.matrix[rows[: len(asked)]] @ vectors.matrix[rows[len(asked) :]].T
        column = {number: place for place, number in enumerate(vocabulary)}
        closeness = np.maximum(0.0, (similarity - _CLOSE) / (1 - _CLOSE))
        total = sum(weights)
        scores = []
        for match, words in in_turns(zip(matches, texts, strict=True)):
            columns = [column[word.number] for word in words if word.number in column]
            missing = np.array([0.0 if match.counts[number] else weights[number] for number in asked])
            scores.append(float(missing @ closeness[:, columns].max(axis=1, initial=0.0)) / total)
        return scores


def _matches(found: Mapping[str, int], words: Sequence[Word], of_title: int, asked: int) -> _Matches:
    """Return where *words* are asked ones, the first of them being *of_title*."""
    counts = [0.0] * asked
    places = []
    for place, word in enumerate(words):
        number = found.get(word.form)
        if number is not None:
            places.append((place, number))
            counts[number] += _TITLE_WEIGHT if place < of_title else 1
    return _Matches(places, counts, (_TITLE_WEIGHT - 1) * of_title + len(words))


def _pair_score(order: Sequence[int], match: _Matches, weights: Sequence[float]) -> float:
    """Return the weighted share of neighbours in the question that are near each other in the text too."""
    pairs = [(a, b) for a, b in pairwise(order) if a != b]
    if not pairs:
        return 0.0
    nearest: dict[tuple[int, int], int] = {}
    for here, (place, number) in enumerate(match.places):
        for other_place, other in match.places[here + 1 :]:
            if other_place - place > _SIDE_BY_SIDE:
                break
            for pair in ((number, other), (other, number)):
                nearest[pair] = min(nearest.get(pair, _SIDE_BY_SIDE), other_place - place)
    total = sum(weights[a] + weights[b] for a, b in pairs)
    return sum((weights[a] + weights[b]) / nearest[a, b] for a, b in pairs if (a, b) in nearest) / total


def _stretch_score(match: _Matches, weights: Sequence[float]) -> float:
    """Return the weighted share of asked words that the best short stretch of the text holds."""
    best = held = 0.0
    inside: dict[int, int] = {}
    first = 0
    for place, number in match.places:
        inside[number] = inside.get(number, 0) + 1
        if inside[number] == 1:
            held += weights[number]
        while place - match.places[first][0] >= _STRETCH_WORDS:
            left = match.places[first][1]
            inside[left] -= 1
            if inside[left] == 0:
                held -= weights[left]
            first += 1
        best = max(best, held)
    return best / sum(weights)


def _fuse(measures: Mapping[str, Sequence[float]], foreign: Sequence[bool]) -> list[float]:
    """Return the measures of each text as one; those that cannot see across scripts are left out for foreign texts."""
    weighed = {
        across: {name: weight for name, weight in _WEIGHTS.items() if name in measures and not (across and name in _ONE_SCRIPT)}
        for across in (False, True)
    }
    scores = []
    for row, across in enumerate(foreign):
        weights = weighed[across]
        raw = sum(weight * measures[name][row] for name, weight in weights.items()) / sum(weights.values())
        scores.append(1.0 - exp(-raw / _SCALE))
    return scores
