"""Merges claims that are made twice; a different number, time, name or negation makes another claim."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from search_core.language.korean import morphemes
from search_core.language.statements.containment import names_of, reverses
from search_core.language.statements.proposition import Proposition, read_proposition
from search_core.runtime import in_turns

_ALIKE = 0.75
"""Of two wordings of one claim the shorter has at least this share of the words of the longer one, and none of its own."""
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_COUNTING = frozenset({"NR", "SN", "MM"})
_ACTING = ("VV", "VA", "XR")


@dataclass(frozen=True)
class Wording:
    """One wording of a claim, analysed for comparison with others."""

    text: str

    @cached_property
    def proposition(self) -> Proposition:
        """Return the parsed sentence."""
        return read_proposition(self.text, None)

    @cached_property
    def counted(self) -> tuple[Hashable, ...]:
        """Return the numbers as written and the counts in words, which are read without parsing and must be equal."""
        counted = (word.form for word in morphemes(self.text) if word.tag in _COUNTING and not word.form.isdigit())
        return _in_order(number.replace(",", "") for number in _DIGITS.findall(self.text)), _in_order(counted)

    @cached_property
    def fixed(self) -> tuple[Hashable, ...]:
        """Return all that must be equal for one claim: counts, numbers, times, negation and verbs."""
        proposition = self.proposition
        return (
            *self.counted,
            _in_order((figure.dimension, figure.low, figure.high, figure.bound, figure.sign) for figure in proposition.figures),
            _in_order(str(period.parts) for period in proposition.periods),
            proposition.codes,
            proposition.negated,
            proposition.denied,
            proposition.open,
            frozenset(word.form for word in proposition.words if word.tag.startswith(_ACTING)),
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the forms of its content words."""
        return frozenset(word.form for word in self.proposition.words)

    def _names(self, other: Wording) -> bool:
        """Return whether this wording contains every word in the names of *other*."""
        text = self.text.casefold()
        return all(word in text for name in names_of(other.proposition) for word in name.casefold().split())

    def says_the_same(self, other: Wording) -> bool:
        """Return whether both are one claim, if their ``fixed`` parts are equal."""
        if self.text == other.text:
            return True
        if not (self._names(other) and other._names(self)):
            return False
        fewer, more = sorted((self.words, other.words), key=len)
        if not fewer or not fewer <= more or len(fewer) < _ALIKE * len(more):
            return False
        return not reverses(self.proposition, other.proposition)


def group_same(texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return the places of *texts* in groups of equal meaning, ordered by their first member."""
    groups: list[list[int]] = []
    alike: dict[Hashable, list[int]] = {}
    wordings = [Wording(text) for text in texts]
    sharing = Counter(wording.counted for wording in in_turns(dict(zip(texts, wordings, strict=True)).values()))
    for place, wording in enumerate(in_turns(wordings)):
        fixed = wording.fixed if sharing[wording.counted] > 1 else wording.counted  # only texts with equal counts are parsed
        for number in alike.setdefault(fixed, []):
            if all(wording.says_the_same(wordings[other]) for other in groups[number]):
                groups[number].append(place)
                break
        else:
            alike[fixed].append(len(groups))
            groups.append([place])
    return tuple(map(tuple, groups))


def _in_order(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(values))
