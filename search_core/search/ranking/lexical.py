"""How much of a question a text contains, in its own words, similar ones and words of the other script.

BM25 uses shipped word statistics, as a list of candidates is too short to tell which words are rare.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import exp, log

import numpy as np

from search_core.language import korean
from search_core.language.equivalents import equivalents
from search_core.language.korean.morphemes import CONTENT_TAGS, kiwi
from search_core.language.words import LATIN, Word, known, morpheme_vectors, rarity, rarity_in_english, readable, words_of
from search_core.runtime import in_turns

_HANGUL = re.compile(r"[가-힣]+")
_HANGUL_RUN = re.compile(r"[가-힣]{2,}")
_ENDING = 0.08
"""Weight of syllables of particles and endings; above 0, as the analyser may have taken part of a word for an ending."""
_K1 = 1.4
_B = 0.65


def piece_scores(question: str, texts: Sequence[str], *, of_one_text: bool = False) -> list[float]:
    """Return for each text its share of the question's weighted syllable pairs, in [0, 1]."""
    weights = _weighted_pairs(readable(question))
    if not weights or not texts:
        return [0.0] * len(texts)
    counts = [[text.count(pair) for pair in weights] for text in in_turns(texts)]
    lengths = [sum(map(len, _HANGUL.findall(text))) for text in texts]
    telling = [*weights.values()]
    if not of_one_text:
        return _bm25(counts, lengths, telling, _USUAL_SYLLABLES)
    held = [sum(1 for row in counts if row[column]) for column in range(len(weights))]
    trust = _trust_in(len(texts))
    weighed = [
        weight * (1 - trust + trust * _rarity_among(len(texts), number)) for weight, number in zip(telling, held, strict=True)
    ]
    return _bm25(counts, lengths, weighed, max(1.0, sum(lengths) / len(lengths)))


def _trust_in(texts: int) -> float:
    """Return how much to trust word counts among *texts* passages, from 0 for none to 0.6 for many."""
    return 0.6 * texts / (texts + 5)


def _rarity_among(texts: int, holding: int) -> float:
    """Return the inverse document frequency of a word that *holding* of *texts* passages contain."""
    return log(1 + (texts - holding + 0.5) / (holding + 0.5)) / 3


def _bm25(counts: Sequence[Sequence[float]], lengths: Sequence[float], weights: Sequence[float], average: float) -> list[float]:
    """Return the BM25 score of each text as a share of the best possible one."""
    total = sum(weights)
    scores = []
    for row, length in zip(counts, lengths, strict=True):
        damping = _K1 * (1 - _B + _B * length / average)
        scores.append(
            sum(weight * count / (count + damping) for weight, count in zip(weights, row, strict=True) if count) / total
        )
    return scores


def _weighted_pairs(question: str) -> dict[str, float]:
    """Return each syllable pair of *question* with the weight of its words."""
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
_USUAL_LENGTH, _USUAL_SYLLABLES = 60.0, 200.0
"""Usual numbers of content words and of Hangul syllables in a snippet."""
_SIDE_BY_SIDE = 3
_STRETCH_WORDS = 30
_CLOSE = 0.35
"""Similarity at which two words begin to be close; unrelated ones stay below."""

MEASURES = ("words", "pairs", "stretch", "close", "pieces", "names", "numbers")
_WEIGHTS = {"words": 0.65, "pieces": 0.4, "close": 0.4, "pairs": 0.15, "stretch": 0.2}
"""Weights of the measures, found by coordinate ascent on the development sets; each adds 0.5 to 1 point of nDCG@10."""
_ACROSS = {name: _WEIGHTS[name] for name in ("words", "pairs", "stretch")}
"""Weights of the measures that also work between scripts, as for a Korean question and an English text."""
_SCALE = 0.3
"""Scale of the final score: passages that answer a question have raw scores of .2 to .5, others of .0 to .1, and a scaled score
of .35 lies between them."""


@dataclass(frozen=True, slots=True)
class _Matches:
    """Where a text contains asked words: (place in the text, number of the asked word), in order."""

    places: list[tuple[int, int]]
    counts: list[float]
    length: float


class AskedWords:
    """A question as weighted words to look for in texts."""

    def __init__(self, question: str) -> None:
        self.text = question
        in_order = words_of([question])[0]
        self.words: list[Word] = list({word.form: word for word in in_order}.values())
        numbers = {word.form: number for number, word in enumerate(self.words)}
        self.order = [numbers[word.form] for word in in_order]
        self.rarity = [rarity(word) for word in self.words]

    def scores(self, titles: Sequence[str], bodies: Sequence[str]) -> list[float]:
        """Return for each passage how much of the question it contains, in [0, 1]; words rare in the text count more."""
        measures = self.measures(titles, bodies, of_one_text=True)
        return self.fuse(measures, [f"{title}\n{body}" for title, body in zip(titles, bodies, strict=True)])

    def measures(self, titles: Sequence[str], bodies: Sequence[str], *, of_one_text: bool = False) -> dict[str, list[float]]:
        """Return by name each text's measures; a text's measures depend on the other texts only for passages *of_one_text*."""
        if not self.words or not bodies:
            return {name: [0.0] * len(bodies) for name in MEASURES}
        texts = [f"{title}\n{body}" for title, body in zip(titles, bodies, strict=True)]
        said, matches = self._read(titles, texts, joined=not of_one_text)
        lengths, weights, usual = [match.length for match in matches], self.rarity, _USUAL_LENGTH
        if of_one_text:
            weights, usual = self._among(matches), (sum(lengths) + _USUAL_LENGTH) / (len(lengths) + 1)
        hangul = korean.has_hangul(self.text)
        names = [n for n, word in enumerate(self.words) if word.tag == "NNP" or (word.tag == LATIN and hangul)]
        figures = [n for n, word in enumerate(self.words) if word.tag == "SN"]
        by_name = {
            "words": _bm25([match.counts for match in matches], lengths, weights, usual),
            "pairs": [_pair_score(self.order, match, weights) for match in in_turns(matches)],
            "stretch": [_stretch_score(match, weights) for match in in_turns(matches)],
            "close": self._close_scores(matches, said, weights),
            "names": [self._cover(match.counts, names) for match in matches],
            "numbers": [self._cover(match.counts, figures) for match in matches],
        }
        if hangul:
            by_name["pieces"] = piece_scores(self.text, [readable(text) for text in texts], of_one_text=of_one_text)
        return by_name

    def covers(self, texts: Sequence[str], terms: Sequence[str]) -> list[float]:
        """Return for each text the weighted share of words it has of that one of *terms* which it covers best."""
        numbers = {word.form: number for number, word in enumerate(self.words)}
        parts = [[numbers[word.form] for word in words] for words in words_of(terms)]
        matches = self._read([""] * len(texts), texts)[1]
        return [max(self._cover(match.counts, part) for part in parts) for match in matches]

    def _read(
        self, titles: Sequence[str], texts: Sequence[str], *, joined: bool = True
    ) -> tuple[list[tuple[Word, ...]], list[_Matches]]:
        """Return the words of *texts*, which begin with *titles*, and where they match asked words.

        If *joined*, two words match their compound, and the reverse, because Kiwi splits words by context
        ("대역폭이" is 대역 and 폭, "대역폭은" one word).
        """
        content = words_of(texts)
        numbers: dict[str, tuple[int, ...]] = {form: (number,) for form, number in self.forms_in(set().union(*content)).items()}
        if joined:
            pairs = {self.words[one].form + self.words[other].form: (one, other) for one, other in pairwise(self.order)}
            numbers = {**pairs, **numbers}
        heads = [len(title) for title in words_of(titles)]
        return content, [
            _matches(numbers, words, head, len(self.words), joined=joined) for head, words in zip(heads, content, strict=True)
        ]

    def _among(self, matches: Sequence[_Matches]) -> list[float]:
        """Return the weight of each asked word; words that few of the passages contain weigh more."""
        trust = _trust_in(len(matches))
        held = [sum(1 for match in matches if match.counts[number]) for number in range(len(self.rarity))]
        return [
            (1 - trust) * telling + trust * _rarity_among(len(matches), holding)
            for telling, holding in zip(self.rarity, held, strict=True)
        ]

    def fuse(self, measures: Mapping[str, Sequence[float]], texts: Sequence[str]) -> list[float]:
        """Return the *measures* of *texts* combined; foreign texts get only those that work across scripts."""
        scores = []
        for row, text in enumerate(texts):
            usable = _ACROSS if self.foreign(text) else _WEIGHTS
            weights = {name: weight for name, weight in usable.items() if name in measures}
            raw = sum(weight * measures[name][row] for name, weight in weights.items()) / sum(weights.values())
            scores.append(1.0 - exp(-raw / _SCALE))
        return scores

    @property
    def understood(self) -> bool:
        """Return whether the question has a Korean word or a common English word, and not only unknown words."""
        return any(word.tag != LATIN or rarity_in_english(word.form) < 1.0 for word in self.words)

    def _cover(self, counts: Sequence[float], chosen: Sequence[int]) -> float:
        """Return the weighted share of the *chosen* words that occur; 1 if none are chosen."""
        total = sum(self.rarity[number] for number in chosen)
        return sum(self.rarity[number] for number in chosen if counts[number]) / total if total else 1.0

    def foreign(self, text: str) -> bool:
        """Return whether *text* is in another script than the question, so that only names and glossary words can match."""
        return korean.has_hangul(self.text) != korean.has_hangul(text)

    def forms_in(self, vocabulary: set[Word]) -> dict[str, int]:
        """Return the forms in *vocabulary* that match an asked word, or its name in the other script, with its number."""
        numbers = {word.form: number for number, word in enumerate(self.words)}
        for number, forms in equivalents(self.words, vocabulary, any_sense=True).items():
            for form in forms:
                numbers.setdefault(form, number)
        return numbers

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
        closeness = np.pad(np.maximum(0.0, (similarity - _CLOSE) / (1 - _CLOSE)), ((0, 0), (0, 1)))
        nothing = len(vocabulary)  # each text has this column of zeros, were it empty otherwise
        columns = [[*(column[word.number] for word in words if word.number in column), nothing] for words in in_turns(texts)]
        firsts = np.cumsum([0, *map(len, columns)])[:-1]
        nearest = np.maximum.reduceat(closeness[:, list(chain.from_iterable(columns))], firsts, axis=1)
        missing = np.array([[0.0 if match.counts[number] else weights[number] for number in asked] for match in matches])
        return list((missing * nearest.T).sum(axis=1) / sum(weights))


def _matches(forms: Mapping[str, Sequence[int]], words: Sequence[Word], of_title: int, asked: int, *, joined: bool) -> _Matches:
    """Return where *words* match asked ones; the first *of_title* of them are the title's, and *joined* pairs count as one."""
    counts = [0.0] * asked
    places = []
    for place, word in enumerate(words):
        numbers = forms.get(word.form)
        if joined and numbers is None and place + 1 < len(words):
            numbers = forms.get(word.form + words[place + 1].form)
        for number in numbers or ():
            places.append((place, number))
            counts[number] += _TITLE_WEIGHT if place < of_title else 1
    return _Matches(places, counts, (_TITLE_WEIGHT - 1) * of_title + len(words))


def _pair_score(order: Sequence[int], match: _Matches, weights: Sequence[float]) -> float:
    """Return the weighted share of neighbouring question words that are also near each other in the text."""
    pairs = [(a, b) for a, b in pairwise(order) if a != b]
    if not pairs:
        return 0.0
    nearest: dict[tuple[int, int], int] = {}
    for here, (place, number) in enumerate(match.places):
        for other_place, other in match.places[here + 1 :]:
            if other_place - place > _SIDE_BY_SIDE:
                break
            for pair in ((number, other), (other, number)):
                nearest[pair] = min(nearest.get(pair, _SIDE_BY_SIDE), max(1, other_place - place))
    total = sum(weights[a] + weights[b] for a, b in pairs)
    return sum((weights[a] + weights[b]) / nearest[a, b] for a, b in pairs if (a, b) in nearest) / total


def _stretch_score(match: _Matches, weights: Sequence[float]) -> float:
    """Return the weighted share of asked words in the best short stretch of the text."""
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
