"""How far a cited source supports a sentence: numbers, dates, names and words must be in one passage of it.

Sentence and source are read by the reader of the comparisons, so a number, a denial or a direction means the same in both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from search_core.language import korean
from search_core.language.sentences import split_sentences
from search_core.language.statements.alignment import shared_words
from search_core.language.statements.concepts import event_of
from search_core.language.statements.containment import (
    holds,
    holds_figure,
    holds_period,
    names_missing,
    names_of,
    reverses,
    speaks_of_others,
    swaps_name,
)
from search_core.language.statements.periods import Period
from search_core.language.statements.proposition import Amounts, Proposition, amounts_in, read_proposition
from search_core.language.statements.units import COUNTS
from search_core.language.words import words_of

Nearness = Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]] | None]
"""Returns the similarity in meaning of some sentences to others, in [0, 1]; None without a model."""
SUPPORTED_FROM = 0.6
"""Share of a sentence's content words that one passage of its sources must hold."""
PARTLY_FROM = 0.3
TRANSLATED_FROM = 0.1
"""Least share of common words with a source in another language, where glossary and sounds match few words. In translated news
nine in ten sentences of other reports stay below it, and one in five of the report's own."""
TRANSLATED_NEAR = 0.6
"""Least similarity in meaning of a sentence in another language, if a model compares them: 19 in 20 translated sentences of news
reach it, and one in a hundred sentences of other reports."""
TRANSLATED_NEAR_WITH_VALUES = 0.4
"""Least similarity in meaning if a source in another language has all numbers and dates of the sentence. Lower than without, as
an answer gives only a part of a long sentence. Of 910 sentences of other reports 14 have such a source, and one is as near."""
MAX_NEAR = 80
"""Most sentences of a source that are compared by meaning, from the first on."""
TELLING = 10
"""Bare numbers from this on are evidence; smaller ones are in many texts by chance."""
WINDOW = 3
"""Sentences of a source that form one passage."""
MAX_SOURCE_CHARS = 20_000
MIN_VERBATIM_CHARS = 10
_DRESS = re.compile(r"^\s*(?:[-*+>#]+\s+|\d{1,3}[.)]\s+)+|[*_`~|]")

_JUST_ONE = re.compile(r"한\s?\D|one\b|1(?:인당|(?:년|개월|분기|주일?)\s?(?:전|만에))", re.IGNORECASE)
"""A one that other languages say without a number: "1년 전" is "a year earlier", "1인당" "per capita"."""


class Support(StrEnum):
    """How far a sentence's sources support it."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"


class SourceText:
    """A source prepared for lookups; belongs to one answer and is not thread-safe."""

    def __init__(self, title: str, text: str, published: datetime | None) -> None:
        whole = korean.normalize(text[:MAX_SOURCE_CHARS])
        self.sentences = (korean.normalize(title), *split_sentences(whole))
        self.day = published.date() if published else None
        self.published = Period.of(published.date()) if published else None
        self.words = tuple(frozenset(word.form for word in words) for words in words_of(self.sentences))
        self.amounts = tuple(amounts_in(sentence, self.day) for sentence in self.sentences)

    def claim(self, number: int) -> Proposition:
        """Return sentence *number* as a proposition; number 0 is the title."""
        return read_proposition(self.sentences[number], self.day)

    def repeats(self, sentence: str) -> bool:
        """Return whether the text has *sentence* word for word, whatever its signs."""
        letters, whole = ("".join(filter(str.isalnum, text)).casefold() for text in (sentence, "".join(self.sentences)))
        return len(letters) >= MIN_VERBATIM_CHARS and letters in whole


@dataclass(frozen=True, slots=True)
class Place:
    """The passage of one source closest to a sentence."""

    source: SourceText
    numbers: tuple[int, ...]
    """The numbers of the passage's sentences, always with 0, the title."""
    best: int
    telling: bool
    """False if the best sentence has nothing in common with the sentence that is checked."""
    near: float | None = None
    """Similarity in meaning of the best sentence, if it is in another language and a model compared them."""

    @property
    def text(self) -> str:
        """Return all sentences of the passage."""
        return " ".join(self.source.sentences[number] for number in self.numbers)

    @property
    def claims(self) -> tuple[Proposition, ...]:
        """Return the sentences of the passage as propositions, the best one first."""
        return tuple(self.source.claim(number) for number in (self.best, *self.numbers))


def undress(sentence: str) -> str:
    """Return *sentence* on one line without signs of Markdown: those of a list, a heading or emphasis."""
    return " ".join(_DRESS.sub(" ", sentence).split())


def best_place(source: SourceText, sentence: str, near: Sequence[float] | None = None) -> Place:
    """Return where *source* contains most of *sentence*.

    *near* has the nearness in meaning of its first sentences, if it is in another language and there is a model.
    """
    if near is None:
        return _place_by_words(source, sentence)
    best = max(range(len(near)), key=near.__getitem__)
    around = range(max(0, best - 1), min(best + WINDOW - 1, len(source.sentences)))
    return Place(source, tuple(dict.fromkeys((0, *around))), best, near[best] >= TRANSLATED_NEAR, near[best])


def near_rows(source: SourceText, sentences: Sequence[str], nearness: Nearness) -> dict[str, Sequence[float]]:
    """Return for each of *sentences* in another language than *source* the similarity of each of the source's first sentences."""
    own = source.sentences[:MAX_NEAR]
    language = korean.detect_language(" ".join(own))
    foreign = [sentence for sentence in sentences if korean.detect_language(sentence) != language]
    return dict(zip(foreign, (nearness(foreign, own) if foreign else None) or (), strict=False))


def _place_by_words(source: SourceText, sentence: str) -> Place:
    [words] = words_of([sentence])
    forms_wanted = frozenset(word.form for word in words)
    figures = amounts_in(sentence, source.day).figures

    def score(first: int, size: int) -> int:
        forms = frozenset[str]().union(*source.words[first : first + size])
        there = [figure for amounts in source.amounts[first : first + size] for figure in amounts.figures]
        return len(forms_wanted & forms) + sum(holds_figure(figure, there) for figure in figures)

    first = max(range(len(source.sentences)), key=lambda number: score(number, WINDOW))
    there = range(first, min(first + WINDOW, len(source.sentences)))
    best = max(there, key=lambda number: score(number, 1))
    return Place(source, tuple(dict.fromkeys((0, *there))), best, score(best, 1) > 0)


def judge_support(sentence: str, places: Sequence[Place]) -> Support:
    """Return how far *places*, one in each cited source, support *sentence*."""
    sources = [place.source for place in places]
    if any(source.repeats(sentence) for source in sources):  # the half of a sentence may seem to reverse the other one
        return Support.SUPPORTED
    claim = read_proposition(sentence, next((source.day for source in sources if source.day), None))
    no_amounts, scattered = _amounts_missing(claim, places)
    named = names_of(claim)
    no_names = names_missing(named, " ".join(text for source in sources for text in source.sentences))
    language = korean.detect_language(sentence)
    foreign = [place for place in places if korean.detect_language(place.text) != language]
    across = _across(claim, foreign, no_amounts, no_names) if foreign else Support.UNSUPPORTED
    if len(foreign) == len(places):
        return across
    share = _share(claim, places)
    quoted = [place.claims[0] for place in places if place.telling]
    exchanged = no_names and swaps_name(no_names, claim, [proposition for place in places for proposition in place.claims])
    if no_amounts or exchanged or any(reverses(claim, quote) for quote in quoted):
        return Support.UNSUPPORTED
    if share < PARTLY_FROM:
        return across
    denied = any(claim.negated != quote.negated for quote in quoted)
    apart = scattered or bool(names_missing(named, " ".join(place.text for place in places)))
    others = share < 1 and all(speaks_of_others(claim, quote) for quote in quoted)
    sure = share >= SUPPORTED_FROM and not (apart or denied or others)
    return Support.SUPPORTED if sure else Support.PARTLY


def amounts_missing(text: str, source: str, *, least: float = 0.0) -> tuple[str, ...]:
    """Return the numbers and times in *text* that *source* lacks in any language or unit ("three million" is 300만).

    Bare counts ("세 가지") below *least* are not looked up.
    """
    own = amounts_in(text, None)
    own = own._replace(figures=tuple(figure for figure in own.figures if figure.dimension not in COUNTS or figure.low >= least))
    return _lacking(text, own, [_amounts_of(source)], ()) if own.figures or own.periods else ()


@lru_cache(maxsize=4)
def _amounts_of(source: str) -> Amounts:
    return amounts_in(source, None)


def _amounts_missing(claim: Proposition, places: Sequence[Place]) -> tuple[tuple[str, ...], bool]:
    """Return the claim's numbers and times that no source contains, and whether some are missing from *places*."""
    sources = [place.source for place in places]
    everywhere = [amounts for source in sources for amounts in source.amounts]
    here = [place.source.amounts[number] for place in places for number in place.numbers]
    days = [source.published for source in sources if source.published]
    return _lacking(claim.text, claim, everywhere, days), bool(_lacking(claim.text, claim, here, days))


def _lacking(text: str, own: Proposition | Amounts, there: Sequence[Amounts], days: Sequence[Period]) -> tuple[str, ...]:
    """Return the numbers and times of *own* that neither *there* nor *days* contain; *own* was read from *text*."""
    figures = [figure for amounts in there for figure in (*amounts.figures, *amounts.spelt)]
    periods = [*days, *(period for amounts in there for period in amounts.periods)]
    missing = [
        figure.text for figure in own.figures if not (_JUST_ONE.match(text, figure.start) or holds_figure(figure, figures))
    ]
    return tuple(missing + [period.text for period in own.periods if not holds_period(period, periods)])


def _share(claim: Proposition, places: Sequence[Place]) -> float:
    """Return the share of the claim's words that *places* contain, in [0, 1], without words of names."""
    names = [name.casefold() for name in names_of(claim)]
    telling = [word.form for word in claim.words if not any(word.form in name for name in names)]
    claims = [proposition for place in places for proposition in place.claims]
    forms = {word.form for proposition in claims for word in proposition.words}
    happened = {(h.axis, h.side) for proposition in claims for h in proposition.happenings}
    around = " ".join(place.text for place in places).casefold()
    held = sum(word in forms or (len(word) > 2 and holds(around, word)) or event_of(word) in happened for word in telling)
    return held / len(telling) if telling else float(bool(names))


def _across(claim: Proposition, places: Sequence[Place], no_amounts: Sequence[str], no_names: Sequence[str]) -> Support:
    """Return the support by a source in another language: at most partial, because few words can be compared."""
    if no_amounts:
        return Support.UNSUPPORTED
    counted = any(figure.dimension not in COUNTS or figure.low >= TELLING for figure in claim.figures)
    valued = counted or any(period.month for period in claim.periods)
    seen = [place.near for place in places if place.near is not None]
    if seen:
        enough = TRANSLATED_NEAR_WITH_VALUES if valued else TRANSLATED_NEAR
        return Support.PARTLY if max(seen) >= enough else Support.UNSUPPORTED
    there = tuple(dict.fromkeys(word for place in places for proposition in place.claims for word in proposition.words))
    share = len(shared_words(claim.words, there)) / len(claim.words) if claim.words else 0.0
    named = len(names_of(claim)) > len(no_names)
    return Support.PARTLY if share >= TRANSLATED_FROM or named or valued else Support.UNSUPPORTED
