"""Features of sentences as answers to a question, as numbers with names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.answers.asked_amounts import asked_amount
from search_core.answers.asked_values import AskedKind, Value, asked_dimensions, asked_kind, values_in
from search_core.answers.sentence_classes import SentenceClass, classify_sentences
from search_core.language.korean import Morpheme, has_hangul, improbability, morphemes
from search_core.language.statements.proposition import is_question
from search_core.language.words import LATIN, Word, words_of
from search_core.search.ranking.lexical import AskedWords

Rows = NDArray[np.float64]

_KINDS = tuple(AskedKind)
_COMMON_IN_TEXT = 0.6
"""How much the weight of a word shrinks if many of the sentences contain it."""
_MOSTLY = 0.6
"""A sentence with more than this share of the question's words gains extra by each further word."""
_MANY = 5
_NAMED = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'-]+|\d[\d,.]*")
_ASKING = frozenset({"얼마", "언제", "누구", "어디", "무엇", "뭐", "몇", "왜", "어떻", "무슨", "어떤"})
"""Question words, which are not looked for in a text."""
_NOUNS = ("NNG", "NNP", "XSN", "XR")
_NO_WORD = 11.5
"""Single syllables that Kiwi finds at least this improbable together are taken for a name: 솔빛 has 12.7, 물값 10.5."""
OF_MEANING = ("near", "near alone", "near next", "near before", "behind nearest", "above mean", "foreign near")
"""Features that are 0 if no model has read the sentences."""
OF_TALKS = (
    "cover with two before", "cover with both", "behind most covered", "behind most telling", "unsaid", "asks", "lost", "claim",
    "asked in Korean", "foreign", "foreign cover", "moment", "few words", "moment of few words", "near alone", "near next",
    "foreign near",
)  # fmt: skip
"""Features used for talks only; for pages they did not help."""
OF_PAGES = ("above mean",)
NAMES = (
    "cover", "mostly covered", "cover with before", "telling cover", "names", "bearing", "behind best bearing", "place",
    "value", "measure", "value next", "many values", "covered value", "supported", "follows a question",
    *dict.fromkeys((*OF_TALKS, *OF_MEANING)),
    *(f"asks for {kind}" for kind in _KINDS), *(f"holds {kind}" for kind in _KINDS),
)  # fmt: skip
"""The names of the numbers, in the order of a row."""


class Said(NamedTuple):
    """A sentence with its source and place."""

    text: str
    source: int = 0
    """Number of its page, or of the unbroken part of the talk; sentences with the same number are its neighbours."""
    bearing: float = 0.0
    """Relevance of its passage or result to the question, in [0, 1]."""
    moment: float = 0.0
    """Nearness in time to the moment of the video at which the question is asked, in [0, 1]."""


def said_before(said: Sequence[Said], place: int) -> str:
    """Return the sentences before *place* in the same source; empty at its beginning."""
    return said[place - 1].text if place and said[place - 1].source == said[place].source else ""


class AskedQuestion:
    """A question, analysed for what its answer looks like."""

    def __init__(self, text: str, understood: str = "") -> None:
        """Take the question as asked, for the kind of answer, and as *understood*, for its words."""
        self.text = text
        self.understood = understood or text
        self.kind = asked_kind(text)
        self.dimensions = asked_dimensions(text) if self.kind is AskedKind.NUMBER else frozenset()
        self.amount = asked_amount(text) if self.kind is AskedKind.NUMBER else None

    @cached_property
    def _lowered(self) -> str:
        return f"{self.text} {self.understood}".casefold()

    @cached_property
    def _values(self) -> list[Value]:
        texts = dict.fromkeys((self.text, self.understood))
        return [value for text in texts for value in values_in(text, self.kind)]

    def values_in(self, text: str) -> list[Value]:
        """Return the values of the asked kind in *text* that the question itself lacks."""
        return [value for value in values_in(text, self.kind) if value.key and not self._says(value)]

    def may_be_answered_by(self, text: str) -> bool:
        """Return whether *text* contains an amount of the kind asked for ("몇 명": people); True if none is asked for."""
        return self.amount is None or self.amount.is_in(text)

    def fits(self, value: Value) -> bool:
        """Return whether *value* has the measure asked for."""
        return value.figure is not None and value.figure.dimension in self.dimensions

    def _says(self, value: Value) -> bool:
        if self.kind is AskedKind.REASON:
            return False
        if value.figure is not None:
            return value.figure.is_among([own.figure for own in self._values if own.figure is not None])
        if any(value.key == own.key for own in self._values):
            return True
        return self.kind is not AskedKind.DATE and value.key in self._lowered


def read_sentences(question: AskedQuestion, said: Sequence[Said], heads: Sequence[str] = (), *, spoken: bool) -> Rows:
    """Return ``(n, len(NAMES))``, a row for each of *said*, with the features of meaning still empty.

    *heads* are the titles of the sources, read as the sentence before the first; *spoken* sentences have more features.
    """
    if not said:
        return np.zeros((0, len(NAMES)))
    columns = _word_columns(question, said, heads)
    columns |= _value_columns(question, said, columns["cover with before"])
    columns |= _class_columns(said, spoken=spoken)
    foreign = np.array([has_hangul(sentence.text) != has_hangul(question.text) for sentence in said], dtype=np.float64)
    columns["asked in Korean"] = np.full(len(said), float(has_hangul(question.text)))
    columns |= {"foreign": foreign, "foreign cover": foreign * columns["cover with before"]}
    columns |= dict.fromkeys(OF_MEANING, np.zeros(len(said)))
    for kind in _KINDS:
        columns[f"asks for {kind}"] = np.full(len(said), float(question.kind is kind))
        columns[f"holds {kind}"] = columns[f"asks for {kind}"] * columns["value"]
    return np.column_stack([columns[name] for name in NAMES])


def _word_columns(question: AskedQuestion, said: Sequence[Said], heads: Sequence[str]) -> dict[str, Rows]:
    """Return by feature how many of the question's words each of *said* contains, alone and together with its neighbours."""
    asked = AskedWords(question.understood)
    texts = [sentence.text for sentence in said]
    of_texts = words_of([*texts, *heads])
    places = asked.forms_in({word for words in of_texts for word in words})
    held = np.array([_held(asked.words, words, text, places) for words, text in zip(of_texts, (*texts, *heads), strict=True)])
    alone, titles = held[: len(said)], held[len(said) :]
    titled = np.maximum(alone, titles[[sentence.source for sentence in said]]) if heads else alone
    before = np.maximum(titled, _beside(alone, said, 1))
    two_before = np.maximum(before, _beside(alone, said, 2))
    rarity = np.array(asked.rarity or [1.0])
    holding = alone.sum(axis=0)
    among = np.log1p((len(said) - holding + 0.5) / (holding + 0.5)) / np.log1p(2 * len(said) + 1)
    telling = rarity * (1 - _COMMON_IN_TEXT + _COMMON_IN_TEXT * among)
    covers, telling_covers = before @ rarity / rarity.sum(), before @ telling / telling.sum()
    names = _names(asked)
    bearing = np.array([sentence.bearing for sentence in said])
    moment = np.array([sentence.moment for sentence in said])
    few = 1 / (1 + sum(word.form not in _ASKING for word in asked.words))
    return {
        "cover": alone @ rarity / rarity.sum(),
        "mostly covered": np.maximum(0.0, titled @ rarity / rarity.sum() - _MOSTLY),
        "cover with before": covers,
        "cover with two before": two_before @ rarity / rarity.sum(),
        "cover with both": np.maximum(before, _beside(alone, said, -1)) @ rarity / rarity.sum(),
        "telling cover": telling_covers,
        "behind most covered": covers.max() - covers,
        "behind most telling": telling_covers.max() - telling_covers,
        "unsaid": np.full(len(said), float(rarity[holding == 0].sum() / rarity.sum())),
        "names": two_before[:, names].mean(axis=1) if names else np.full(len(said), 0.5),
        "bearing": bearing,
        "behind best bearing": bearing.max() - bearing,
        "place": 1 / (1 + np.searchsorted(np.unique(-bearing), -bearing)),
        "moment": moment,
        "few words": np.full(len(said), few),
        "moment of few words": few * moment,
    }


def _held(asked: Sequence[Word], words: Sequence[Word], text: str, places: dict[str, int]) -> Rows:
    """Return 1 for each word *asked* that *text* contains, else 0: as one of its analysed *words*, or letter for letter.

    Letters count because Kiwi splits a word by what follows it: "대역폭이" is 대역 and 폭, "대역폭은" one word.
    """
    held = np.zeros(max(1, len(asked)))
    held[[places[word.form] for word in words if word.form in places]] = 1.0
    compact = "".join(text.split()).casefold()
    held[[place for place, word in enumerate(asked) if word.form not in _ASKING and word.form in compact]] = 1.0
    return held


def hold_names(question: str, texts: Sequence[str]) -> list[bool]:
    """Return for each of *texts* whether it contains a name of *question*, in either script; True if that has none.

    Names that only begin alike differ (가람제과 and 가람제분), but a text may shorten a name to its beginning (가람).
    """
    asked = AskedWords(question)
    called = _called(question)
    parts = {name: [place for place, word in enumerate(asked.words) if word.form in forms] for name, forms in called.items()}
    latin = [place for place in _names(asked) if asked.words[place].tag == LATIN]
    if not (latin or called):
        return [True] * len(texts)
    of_texts = words_of(texts)
    places = asked.forms_in({word for words in of_texts for word in words})
    held = [_held(asked.words, words, text, places) for words, text in zip(of_texts, texts, strict=True)]
    return [
        bool(row[latin].any()) or any(_calls(text, name, not parts[name] or bool(row[parts[name]].any())) for name in called)
        for row, text in zip(held, texts, strict=True)
    ]


def _called(question: str) -> dict[str, set[str]]:
    """Return the Korean names of *question*, each with the proper nouns in it.

    A name is a run of nouns with a proper noun or a word that the dictionary lacks, or of single syllables that are no word.
    """
    runs: list[list[Morpheme]] = []
    for word in morphemes(question):
        if word.tag in _NOUNS and has_hangul(word.form):
            runs[-1:] = [[*runs[-1], word]] if runs and runs[-1][-1].end == word.start else [*runs[-1:], [word]]
    called = {}
    for run in runs:
        name = "".join(word.form for word in run)
        torn = len(run) > 1 and all(len(word.form) == 1 for word in run) and improbability(name) > _NO_WORD
        if torn or any(word.tag == "NNP" or word.unknown for word in run):
            called[name] = {word.form for word in run if word.tag == "NNP"}
    return called


def _calls(text: str, name: str, held: bool) -> bool:
    """Return whether *text* contains *name*, or a word that begins it (가람 of 가람제과); *held* if *text* has no Hangul."""
    if not has_hangul(text):
        return held
    begins = {piece for piece in text.split() if piece.startswith(name[:2])}
    return name in "".join(text.split()) or any(name.startswith(noun) for piece in begins if len(noun := _noun_of(piece)) > 1)


def _noun_of(piece: str) -> str:
    """Return the leading nouns of *piece*, a word with its particles ("가람제과에서": "가람제과")."""
    nouns = list(takewhile(lambda word: word.tag in _NOUNS, morphemes(piece)))
    return piece[: nouns[-1].end] if nouns else ""


def _names(asked: AskedWords) -> list[int]:
    """Return the indices of the names and numbers in ``asked.words``."""
    named = {word.form for words in words_of(_NAMED.findall(asked.text)) for word in words}
    return [
        place
        for place, word in enumerate(asked.words)
        if word.tag in ("NNP", "SN") or (word.tag == LATIN and (word.form in named or has_hangul(asked.text)))
    ]


def _beside(values: Rows, said: Sequence[Said], back: int, otherwise: float = 0.0) -> Rows:
    """Return for each of *said* the value of the sentence *back* places before it (after it if negative) in the same source."""
    beside = np.full_like(values, otherwise, dtype=np.float64)
    if 0 < abs(back) < len(said):
        here, there = (slice(back, None), slice(None, -back)) if back > 0 else (slice(None, back), slice(-back, None))
        sources = np.array([sentence.source for sentence in said])
        same = sources[here] == sources[there]
        beside[here][same] = values[there][same]
    return beside


def _value_columns(question: AskedQuestion, said: Sequence[Said], covers: Rows) -> dict[str, Rows]:
    """Return by feature whether each of *said* has a value of the asked kind ("얼마": a number), and how many sources have it."""
    values = [question.values_in(sentence.text) for sentence in said]
    held = np.array([float(bool(of_sentence)) for of_sentence in values])
    sources: dict[str, dict[int, float]] = {}
    for sentence, of_sentence in zip(said, values, strict=True):
        for value in of_sentence:
            sources.setdefault(value.key, {})[sentence.source] = sentence.bearing
    whole = sum({sentence.source: sentence.bearing for sentence in said}.values()) or 1.0
    shares = {key: (sum(by_source.values()), by_source) for key, by_source in sources.items()}
    supported = [
        max((shares[value.key][0] - shares[value.key][1][sentence.source] for value in of_sentence), default=0.0) / whole
        for sentence, of_sentence in zip(said, values, strict=True)
    ]
    return {
        "value": held,
        "measure": np.array([float(any(map(question.fits, of_sentence))) for of_sentence in values]),
        "value next": _beside(held, said, -1),
        "many values": np.array([min(1.0, len({value.key for value in of_sentence}) / _MANY) for of_sentence in values]),
        "covered value": held * covers,
        "supported": np.array(supported),
    }


def _class_columns(said: Sequence[Said], *, spoken: bool) -> dict[str, Rows]:
    """Return by feature the class probabilities of each of *said*; of *spoken* ones also whether they stand alone."""
    asks = np.array([float(is_question(sentence.text)) for sentence in said])
    columns = {"asks": asks, "follows a question": _beside(asks, said, 1)}
    if not spoken:
        return columns | dict.fromkeys(("lost", "claim"), np.zeros(len(said)))
    before = [said_before(said, place) for place in range(len(said))]
    shares = classify_sentences([sentence.text for sentence in said], before)
    of_each = (("lost", SentenceClass.LOST), ("claim", SentenceClass.CLAIM))
    return columns | {name: np.array([share[is_so] for share in shares]) for name, is_so in of_each}


def with_meaning(rows: Rows, said: Sequence[Said], near: Rows, alone: Rows) -> Rows:
    """Return *rows* with the features of meaning: *near* with the sentence before, and *alone*."""
    least = float(near.min())
    columns = (
        near,
        alone,
        _beside(near, said, -1, least),
        _beside(near, said, 1, least),
        near.max() - near,
        near - near.mean(),
        near * rows[:, NAMES.index("foreign")],
    )
    read = rows.copy()
    read[:, [NAMES.index(name) for name in OF_MEANING]] = np.column_stack(columns)
    return read
