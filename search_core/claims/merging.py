"""A claim that is made twice is one claim; one that differs in a number, a time, a name or in saying no is another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from search_core.answering.comparison.claim import Claim as ReadClaim
from search_core.answering.comparison.claim import read_claim
from search_core.answering.comparison.containment import names_of, reverses
from search_core.korean import Morpheme, morphemes

_ALIKE = 0.75
"""Share of the words of both that they have in common from which on two claims are one."""
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_COUNTING = frozenset({"NR", "SN", "MM"})
_ACTING = ("VV", "VA", "XR")


@dataclass(frozen=True)
class Wording:
    """One wording of a claim, read so that it can be held against another."""

    text: str

    @cached_property
    def claim(self) -> ReadClaim:
        """Return what it says."""
        return read_claim(self.text, None)

    @cached_property
    def fixed(self) -> tuple[object, ...]:
        """Return what must not differ: numbers as written and as read, times, denial, what is counted in words."""
        claim = self.claim
        return (
            sorted(number.replace(",", "") for number in _DIGITS.findall(self.text)),
            sorted((figure.dimension, figure.low, figure.high, figure.bound, figure.sign) for figure in claim.figures),
            sorted(str(period.parts) for period in claim.periods),
            claim.codes,
            claim.negated,
            sorted(claim.denied),
            claim.open,
            sorted(each.form for each in self._analysed if each.tag in _COUNTING and not each.form.isdigit()),
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the forms of its content words."""
        return frozenset(word.form for word in self.claim.words)

    @cached_property
    def acts(self) -> frozenset[str]:
        """Return the stems of its verbs and adjectives."""
        return frozenset(word.form for word in self.claim.words if word.tag.startswith(_ACTING))

    @cached_property
    def _analysed(self) -> Sequence[Morpheme]:
        return morphemes(self.text)

    def _names(self, other: Wording) -> bool:
        """Tell whether this one holds every word of the names of *other*."""
        text = self.text.casefold()
        return all(word in text for name in names_of(other.claim) for word in name.casefold().split())

    def says_the_same(self, other: Wording) -> bool:
        """Tell whether both are one claim."""
        if self.text == other.text:
            return True
        if self.fixed != other.fixed or self.acts != other.acts or not (self._names(other) and other._names(self)):
            return False
        together = self.words | other.words
        if not together or len(self.words & other.words) / len(together) < _ALIKE:
            return False
        return not reverses(self.claim, other.claim)


def group_same(texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return the places of *texts* in groups that say the same, each in order, by the first of each group."""
    wordings = [Wording(text) for text in texts]
    groups: list[list[int]] = []
    for place, wording in enumerate(wordings):
        for group in groups:
            if all(wording.says_the_same(wordings[other]) for other in group):
                group.append(place)
                break
        else:
            groups.append([place])
    return tuple(map(tuple, groups))
