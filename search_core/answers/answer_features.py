"""What speaks for an excerpt of a result as the answer to a question, as numbers of known names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.answers.asked_values import AskedKind, Value, asked_dimensions, asked_head, asked_kind, values_in
from search_core.domain import SearchResult
from search_core.ranking.lexical import AskedWords
from search_core.text.sentences import sentence_spans
from search_core.text.web_address import host_name
from search_core.text.words import LATIN, Word, words_of

MAX_CHARS = 160
"""Of an excerpt: a longer sentence is read in parts that overlap."""
_READ_CHARS = 2_000
_STEP_CHARS = 80
_LEAST_CHARS = 12
_SHORT_CHARS = 50
_NEAR_CHARS, _HEAD_CHARS = 60, 30
_OTHER_MEASURE = 0.3
"""What a number counts for that measures something else than is asked for."""
_POINTS = re.compile(
    r"^\W*(?:he|she|it|they|this|that|these|those|his|her|their|its|이|그|이는|그는|그녀|이를|또한?)\b", re.IGNORECASE
)
_ASKS = ("?", "？")
_NAMED = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'-]+|\d[\d,.]*")

_KINDS = tuple(AskedKind)
_OF_WORDS = (
    "cover", "cover with title", "cover of result", "names covered", "score", "best score", "behind best", "place", "title",
    "first", "asks", "cut", "short", "points", "new words", "most covered", "behind most covered", "recency", "results",
)  # fmt: skip
_OF_VALUES = (
    "holds value", "holds dimension", "support", "supported twice", "lead", "evidence", "evidence lead", "near", "head near",
    "many values", "support with cover",
)  # fmt: skip
_OF_MEANING = ("similarity", "behind nearest", "nearest", "above mean")
PLAIN = (
    *_OF_WORDS, *_OF_VALUES, *_OF_MEANING,
    *(f"asks for {kind}" for kind in _KINDS), *(f"{kind} held" for kind in _KINDS), *(f"{kind} supported" for kind in _KINDS),
)  # fmt: skip
_BENT = ("cover", "cover with title", "near", "evidence", "most covered", "similarity")
_BENDS = (0.4, 0.6)
_PAIRS = (
    ("cover", "holds value"), ("near", "evidence"), ("cover with title", "evidence"), ("near", "head near"), ("near", "lead"),
    ("cover", "head near"), ("near", "cover"), ("first", "cover"), ("cover", "score"), ("behind most covered", "holds value"),
    ("score", "evidence"), ("similarity", "near"), ("similarity", "cover"), ("similarity", "holds value"),
)  # fmt: skip
NAMES = (
    *PLAIN,
    *(f"{name} over {bend}" for name in _BENT for bend in _BENDS),
    *(f"{one} by {other}" for one, other in _PAIRS),
)
"""The names of the features, in the order of a row: what is read, how far some of it goes beyond a bend, and products of two."""
MEANT = frozenset(name for name in NAMES if any(name.startswith(of_meaning) for of_meaning in _OF_MEANING))
"""Those that are 0 where no model has read the excerpts."""

Rows = NDArray[np.float64]
Columns = dict[str, Rows]
Forms = frozenset[str]


@dataclass(frozen=True, slots=True)
class Regression:
    """What each number of a row adds to log odds, and to all of them; what there are no weights for adds nothing."""

    weights: Rows
    bias: Any

    @classmethod
    def of(cls, stored: Mapping[str, float], names: Sequence[str]) -> Regression:
        """Return what is *stored* by name."""
        return cls(np.array([stored.get(name, 0.0) for name in names]), stored["bias"])

    def odds(self, rows: NDArray[Any]) -> Rows:
        """Return the log odds of one row or of many."""
        found: Rows = rows[..., : len(self.weights)] @ self.weights + self.bias
        return found


class Excerpt(NamedTuple):
    """A sentence of a result, or a part of a long one: ``text[start:end]`` of its title, a line's end and its snippet."""

    row: int
    """Of its result."""
    start: int
    end: int
    text: str
    title: bool
    opens: bool
    closes: bool
    """Whether its sentence begins and ends with it."""


def read_text(result: SearchResult) -> str:
    """Return what is read of *result*."""
    return f"{result.title}\n{result.snippet[:_READ_CHARS]}"


def excerpts_of(results: Sequence[SearchResult]) -> list[Excerpt]:
    """Return the sentences of titles and snippets, long ones in parts."""
    found = []
    for row, result in enumerate(results):
        text, body = read_text(result), len(result.title) + 1
        for start, end in sentence_spans(text):
            for first, last in _parts(text, start, end):
                if last - first >= _LEAST_CHARS:
                    title, opens, closes = first < body - 1, first == start, last == end
                    found.append(Excerpt(row, first, last, text[first:last], title, opens, closes))
    return found


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > MAX_CHARS:
        cut = text.rfind(" ", start + MAX_CHARS // 2, start + MAX_CHARS + 1)
        yield start, cut if cut > 0 else start + MAX_CHARS
        following = text.find(" ", start + _STEP_CHARS, end)
        if following < 0 or end - following - 1 <= MAX_CHARS // 3:
            return
        start = following + 1
    yield start, end


class AskedQuestion:
    """A question, read for what an answer to it looks like."""

    def __init__(self, text: str, understood: str = "") -> None:
        """Take the question as asked, which says what kind of answer is wanted, and as *understood*, for its words."""
        self.text = text
        self.understood = understood or text
        self.kind = asked_kind(text)
        self.dimensions = asked_dimensions(text) if self.kind is AskedKind.NUMBER else frozenset()

    @cached_property
    def _lowered(self) -> str:
        return f"{self.text} {self.understood}".casefold()

    @cached_property
    def words(self) -> list[Word]:
        """Return the content words, once each."""
        return list({word.form: word for word in words_of([self.understood])[0]}.values())

    @cached_property
    def values(self) -> list[Value]:
        """Return the values of the asked kind that the question holds itself."""
        texts = dict.fromkeys((self.text, self.understood))
        return [value for text in texts for value in values_in(text, self.kind)]

    def answers_itself(self, value: Value) -> bool:
        """Return whether the question says *value*."""
        if value.figure is not None:
            return value.figure.is_among([own.figure for own in self.values if own.figure is not None])
        if any(value.key == own.key for own in self.values):
            return True
        return self.kind is not AskedKind.DATE and value.key in self._lowered


class _AskedWords:
    """The words of a question with how telling they are, in the scripts of what was found."""

    def __init__(self, question: AskedQuestion, texts: Sequence[Sequence[Word]]) -> None:
        asked = AskedWords(question.understood)
        words = asked.words
        self._weights = asked.rarity or [1.0]
        self._whole = sum(self._weights)
        self.places = asked.forms_in({word for said in texts for word in said})
        named = {word.form for said in words_of(_NAMED.findall(question.understood)) for word in said}
        self._named = [
            number for number, word in enumerate(words) if word.tag in ("NNP", "SN") or (word.tag == LATIN and word.form in named)
        ]
        heads = _forms_of([asked_head(question.text)])[0]
        self.heads = heads | {form for form, number in self.places.items() if words[number].form in heads}
        """Forms that name what is asked for ("which company")."""

    def cover(self, forms: Forms) -> float:
        """Return the share of the question's words, by how telling they are, that are among *forms*."""
        return sum(self._weights[number] for number in self._held(forms)) / self._whole

    def names_covered(self, forms: Forms) -> float:
        """Return the share of the question's names and numbers that are among *forms*."""
        held = self._held(forms)
        return sum(number in held for number in self._named) / len(self._named) if self._named else 0.5

    def _held(self, forms: Forms) -> set[int]:
        return {self.places[form] for form in forms if form in self.places}


class _Found(NamedTuple):
    """A value of the asked kind in a result."""

    value: Value
    fits: bool
    """Whether it measures what is asked for."""
    support: float
    """The share of the other results, by score, that have it, too."""
    twice: bool
    """Whether two others have it."""


class _Read(NamedTuple):
    """Results as they were read for a question."""

    question: AskedQuestion
    results: Sequence[SearchResult]
    texts: Sequence[str]
    said: Sequence[Forms]
    """The words of each text."""
    scores: Rows
    words: _AskedWords


def read_columns(question: AskedQuestion, results: Sequence[SearchResult], excerpts: Sequence[Excerpt]) -> Columns:
    """Return what *excerpts* of *results* say without their meaning, a value for each by the name of the feature."""
    texts = [read_text(result) for result in results]
    said = words_of(texts)
    scores = np.array([result.relevance_score or 0.0 for result in results])
    read = _Read(
        question, results, texts, [frozenset(word.form for word in each) for each in said], scores, _AskedWords(question, said)
    )
    columns = _word_columns(read, excerpts)
    columns |= _value_columns(read, excerpts, columns["cover with title"])
    for kind in _KINDS:
        asked = float(question.kind is kind)
        columns[f"asks for {kind}"] = np.full(len(excerpts), asked)
        columns[f"{kind} held"] = asked * columns["holds value"]
        columns[f"{kind} supported"] = asked * columns["evidence"]
    return columns


def rows_of(columns: Columns, nearness: Sequence[float] | None = None) -> Rows:
    """Return ``(n, len(NAMES))``, a row for each excerpt of *columns*.

    *nearness* says how near each is to the question in meaning, in [0, 1]; None where no model says so.
    """
    columns = {**columns, **meaning_columns(np.zeros(len(columns["cover"])) if nearness is None else np.array(nearness))}
    for name in _BENT:
        columns |= {f"{name} over {bend}": np.maximum(0.0, columns[name] - bend) for bend in _BENDS}
    columns |= {f"{one} by {other}": columns[one] * columns[other] for one, other in _PAIRS}
    return np.column_stack([columns[name] for name in NAMES])


def meaning_columns(near: Rows) -> Columns:
    """Return by name what it says that excerpts are so *near* to the question; all 0 where none is."""
    nearest = near.max(initial=0.0)
    return dict(zip(_OF_MEANING, (near, nearest - near, near == nearest if nearest else near, near - near.mean()), strict=True))


def _word_columns(read: _Read, excerpts: Sequence[Excerpt]) -> Columns:
    """Return by name what the words of *excerpts* and their places say."""
    results, scores, words = read.results, read.scores, read.words
    titles = _forms_of(result.title for result in results)
    parts = _forms_of(excerpt.text for excerpt in excerpts)
    places = {int(row): place for place, row in enumerate(np.argsort(-scores, kind="stable"), start=1)}
    recent = [each.parts.recency if each.parts and each.parts.recency is not None else 0.5 for each in results]
    rows = []
    for excerpt, forms in zip(excerpts, parts, strict=True):
        row, with_title = excerpt.row, forms | titles[excerpt.row]
        rows.append(
            (
                words.cover(forms),
                words.cover(with_title),
                words.cover(read.said[row]),
                words.names_covered(with_title),
                scores[row],
                scores.max(),
                scores.max() - scores[row],
                1 / places[row],
                excerpt.title,
                excerpt.opens and excerpt.start == len(results[row].title) + 1,
                excerpt.text.rstrip(" \"”’'").endswith(_ASKS),
                not (excerpt.opens and excerpt.closes),
                len(excerpt.text) < _SHORT_CHARS,
                _POINTS.match(excerpt.text) is not None,
                min(1.0, len(forms - words.places.keys()) / 15),
                0.0,
                0.0,
                recent[row],
                min(1.0, len(results) / 10),
            )
        )
    columns = dict(zip(_OF_WORDS, np.array(rows, dtype=np.float64).T, strict=True))
    covers = columns["cover with title"]
    columns["most covered"] = np.full(len(excerpts), covers.max())
    columns["behind most covered"] = covers.max() - covers
    return columns


def _value_columns(read: _Read, excerpts: Sequence[Excerpt], covers: Rows) -> Columns:
    """Return by name what the values of the asked kind say that stand in *excerpts*."""
    found = _values(read)
    inside = [
        [each for each in found[excerpt.row] if excerpt.start <= each.value.start and each.value.end <= excerpt.end]
        for excerpt in excerpts
    ]
    evidence = _evidence(excerpts, inside, covers, read.scores)
    support: dict[str, float] = {}
    for each in (each for of_result in found for each in of_result):
        support[each.value.key] = max(support.get(each.value.key, 0.0), each.support)
    leads, evidence_leads = _leads(support), _leads(evidence)
    best = [max(values, key=lambda each: (each.fits, evidence[each.value.key]), default=None) for values in inside]
    near, heads = _surroundings(read, excerpts, inside, best)
    columns = np.zeros((len(_OF_VALUES), len(excerpts)))
    for place, (chosen, values) in enumerate(zip(best, inside, strict=True)):
        if chosen is not None:
            key = chosen.value.key
            columns[:, place] = (
                1.0,
                chosen.fits and bool(read.question.dimensions),
                chosen.support,
                chosen.twice,
                leads[key],
                evidence[key],
                evidence_leads[key],
                near[place],
                heads[place],
                min(1.0, len({other.value.key for other in values}) / 5),
                chosen.support * covers[place],
            )
    return dict(zip(_OF_VALUES, columns, strict=True))


def _surroundings(
    read: _Read, excerpts: Sequence[Excerpt], inside: Sequence[Sequence[_Found]], best: Sequence[_Found | None]
) -> tuple[dict[int, float], dict[int, bool]]:
    """Return by its place how much the words around each *best* value cover, and whether any value has the head beside it."""
    near, beside = [], []
    for place, (excerpt, each) in enumerate(zip(excerpts, best, strict=True)):
        if each is not None:
            text = read.texts[excerpt.row]
            near.append((place, _around(text, excerpt, each.value, _NEAR_CHARS)))
            beside += [(place, _around(text, excerpt, other.value, _HEAD_CHARS)) for other in inside[place]]
    forms = _forms_of(text for _, text in (*near, *beside))
    covered = {place: read.words.cover(said) for (place, _), said in zip(near, forms[: len(near)], strict=True)}
    heads = dict.fromkeys(covered, False)
    for (place, _), said in zip(beside, forms[len(near) :], strict=True):
        heads[place] = heads[place] or not read.words.heads.isdisjoint(said)
    return covered, heads


def _values(read: _Read) -> list[list[_Found]]:
    """Return for each result the values of the asked kind that the question does not hold itself."""
    question, results = read.question, read.results
    lowered = [text.casefold() for text in read.texts]
    compact = ["".join(text.split()) for text in lowered]
    sites = [_letters(f"{host_name(result.url)} {result.source}") for result in results]
    values = [values_in(text, question.kind) for text in read.texts]
    figures = [[value.figure for value in of_result if value.figure is not None] for of_result in values]
    weights = np.maximum(read.scores, 0.01)
    holding: dict[str, NDArray[np.bool_]] = {}
    found: list[list[_Found]] = []
    for row, of_result in enumerate(values):
        found.append([])
        for value in of_result:
            if not value.key or _letters(value.key) in sites[row] or question.answers_itself(value):
                continue
            if value.key not in holding:
                if value.figure is not None:
                    has = [value.figure.is_among(others) for others in figures]
                else:
                    has = [_is_named(value.key, text, close) for text, close in zip(lowered, compact, strict=True)]
                holding[value.key] = np.array(has)
            has_it = holding[value.key].copy()
            has_it[row] = False
            others = weights.sum() - weights[row]
            support = float(weights[has_it].sum() / others) if len(results) > 1 else 0.0
            fits = value.figure is None or not question.dimensions or value.figure.dimension in question.dimensions
            found[-1].append(_Found(value, fits, support, bool(has_it.sum() >= 2)))
    return found


def _is_named(key: str, text: str, compact: str) -> bool:
    """Return whether a text, given also without spaces, has a name in whole, or its last word alone ("Biden")."""
    if key in text or key.replace(" ", "") in compact:
        return True
    last = key.rpartition(" ")[2]
    return len(last) > 3 and last in text


def _evidence(excerpts: Sequence[Excerpt], inside: Sequence[Sequence[_Found]], covers: Rows, scores: Rows) -> Mapping[str, float]:
    """Return what speaks for each value, all values together being 1 in length: of each result its best excerpt counts."""
    best: defaultdict[tuple[str, int], float] = defaultdict(float)
    for excerpt, values, cover in zip(excerpts, inside, covers, strict=True):
        for each in values:
            speaks = float(cover * cover * scores[excerpt.row]) * (1.0 if each.fits else _OTHER_MEASURE)
            best[each.value.key, excerpt.row] = max(best[each.value.key, excerpt.row], speaks)
    total: defaultdict[str, float] = defaultdict(float)
    for (key, _), speaks in best.items():
        total[key] += speaks
    length = sum(speaks * speaks for speaks in total.values()) ** 0.5 or 1.0
    return {key: speaks / length for key, speaks in total.items()}


def _leads(worth: Mapping[str, float]) -> dict[str, float]:
    """Return how far each is ahead of the best other one."""
    first, second = [*sorted(worth.values(), reverse=True), 0.0, 0.0][:2]
    return {key: value - (second if value == first else first) for key, value in worth.items()}


def _around(text: str, excerpt: Excerpt, value: Value, chars: int) -> str:
    return text[max(excerpt.start, value.start - chars) : min(excerpt.end, value.end + chars)]


def _forms_of(texts: Iterable[str]) -> list[Forms]:
    """Return for each text the forms of its content words."""
    return [frozenset(word.form for word in said) for said in words_of(texts)]


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
