"""Which numbers, times and names of one proposition another text contains, and whether it says the opposite."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rapidfuzz import fuzz

from search_core.language import korean
from search_core.language.statements.alignment import held_names
from search_core.language.statements.figures import Figure
from search_core.language.statements.periods import Period
from search_core.language.statements.proposition import Proposition

_LATIN_NAME = re.compile(r"(?<![A-Za-z])(?:[A-Z][\w+#&-]*[\w+#]|[a-z]+[A-Z0-9][\w+#-]*)", re.ASCII)
_DIGIT = re.compile(r"\d")
_QUARTER_MONTHS = 3
SPELT_ALIKE = 80
"""Names with at least this similarity in percent are two spellings of one name ("윌리암", "윌리엄")."""


def holds_figure(figure: Figure, others: Iterable[Figure]) -> bool:
    """Return whether one of *others* can be the same amount; "twice" equals "두 배"."""
    return any(figure.means(other) or (figure.dimension == "times" and figure.equals(other)) for other in others)


def holds_period(period: Period, others: Iterable[Period]) -> bool:
    """Return whether *others* contain the time *period*, its year perhaps in another of them; "지난해" is always contained."""
    if not _DIGIT.search(period.text) and period.month is None:
        return True
    named = list(others)
    year = None if period.reckoned else period.year
    if year is not None and year not in {other.year for other in named}:
        return False
    within = [other for other in named if year is None or other.year is None or other.reckoned or other.year == year]
    return any(_within(period, other) for other in within)


def _within(period: Period, other: Period) -> bool:
    """Return whether *other* has all parts of *period*, the year aside; a month has its quarter and half-year, too."""
    quarter = other.quarter or (other.month and (other.month - 1) // _QUARTER_MONTHS + 1)
    half = other.half or (quarter and (quarter + 1) // 2)
    pairs = ((period.quarter, quarter), (period.half, half), (period.month, other.month), (period.day, other.day))
    return all(wanted is None or wanted == there for wanted, there in pairs)


def names_of(proposition: Proposition) -> tuple[str, ...]:
    """Return the names in *proposition*: persons, organisations, and capitalised Latin words.

    Names that are only cited ("통계청에 따르면") and those of months are left out.
    """
    dates = {word for period in proposition.periods for word in re.findall(r"[A-Za-z]+", period.text)}
    names = [name for name in proposition.names if name not in proposition.sources and name not in dates]
    # an English word may be written large only because it begins the sentence
    plain = proposition.text.isascii()
    latin = [m[0] for m in _LATIN_NAME.finditer(proposition.text) if m.start() or not (plain and m[0][1:].islower())]
    latin = [name for name in latin if name not in dates and not any(name in other for other in proposition.names)]
    joined = " ".join(proposition.names)
    places = sorted(form for form in proposition.propers if korean.has_hangul(form) and form not in joined)
    return tuple(dict.fromkeys((*names, *latin, *places)))


def names_missing(wanted: Iterable[str], text: str) -> tuple[str, ...]:
    """Return the *wanted* names that *text* lacks in both scripts; one-letter names are ignored."""
    folded = text.casefold()
    unsure = tuple(name for name in wanted if len(name) > 1 and not holds(folded, name.casefold()))
    held = held_names(unsure, text) if unsure else ()
    return tuple(name for name in unsure if name not in held)


def swaps_name(missing: Iterable[str], proposition: Proposition, others: Iterable[Proposition]) -> bool:
    """Return whether *others* have a name for which *proposition* may have put one of the *missing* names.

    A name spelt a little differently is not another name.
    """
    text = proposition.text.casefold()
    there = {name for other in others for name in names_of(other) if not holds(text, name.casefold())}
    return any(
        korean.has_hangul(name) == korean.has_hangul(other) and _unlike(name, other) and len(name) > 1
        for name in missing
        if not any(not _unlike(name, other) for other in there)
        for other in there
    )


def speaks_of_others(proposition: Proposition, other: Proposition) -> bool:
    """Return whether *other* names somebody, and nobody in *proposition*."""
    text = proposition.text.casefold()
    return bool(other.names) and not any(holds(text, name.casefold()) for name in names_of(other))


def _unlike(name: str, other: str) -> bool:
    one, two = (unicodedata.normalize("NFD", word.casefold()) for word in (name, other))
    return fuzz.ratio(one, two) < SPELT_ALIKE


def holds(text: str, word: str) -> bool:
    """Return whether *text* contains *word*, or its beginning without a particle."""
    return word in text or (len(word) > 2 and korean.has_hangul(word[-1]) and word[:-1] in text)


def reverses(proposition: Proposition, other: Proposition) -> bool:
    """Return whether *other* says the opposite: a fall instead of a rise, a cancellation, or a negation."""
    if denies_word(proposition, other):
        return True
    for axis in {happening.axis for happening in proposition.happenings}:
        mine, theirs = (frozenset(h.side for h in sentence.happenings if h.axis == axis) for sentence in (proposition, other))
        if theirs and not mine & theirs:
            return True
    return any(
        mine.sign * theirs.sign < 0 and mine.means(theirs)
        for mine in proposition.figures
        for theirs in other.figures
        if not theirs.former
    )


def denies_word(proposition: Proposition, other: Proposition) -> bool:
    """Return whether *proposition* or *other* negates a word that the other one asserts."""
    return not proposition.denied & other.denied and bool(
        proposition.denied & _asserted_words(other) or _asserted_words(proposition) & other.denied
    )


def _asserted_words(proposition: Proposition) -> frozenset[str]:
    return frozenset(word.form for word in proposition.words) - proposition.denied
