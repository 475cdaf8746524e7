"""Which claims of a video the visitor wants checked, as they word them; nothing is asked for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pages.parts import claims_labels, transcript_lines
from pages.parts.transcript_lines import Line
from search_core.domain import Claim, ClaimMoment, ClaimOrigin, FoundClaims

BY_SCORE, BY_TIME = "score", "time"
SHOWN = 20
"""Claims in sight at first; the rest are a click away."""


@dataclass(slots=True)
class Choice:
    """Holds what a visitor makes of the claims that were found."""

    claims: dict[int, Claim] = field(default_factory=dict)
    """Claims by number, as they are worded now."""
    chosen: set[int] = field(default_factory=set)
    edited: set[int] = field(default_factory=set)
    order: str = BY_SCORE
    shown: int = SHOWN
    editing: int = 0
    """Number of the claim that is being worded anew; 0 for none."""
    problem: str = ""
    """A Korean sentence about what could not be taken."""

    @classmethod
    def of(cls, found: FoundClaims, added: Sequence[Claim] = ()) -> Choice:
        """Return a choice of the claims with the highest scores, and of those that were *added*."""
        choice = cls({claim.number: claim for claim in found.claims})
        choice.pick_best()
        for number, claim in enumerate(added, start=max(choice.claims, default=0) + 1):
            choice.claims[number] = replace(claim, number=number)
            choice.chosen.add(number)
        return choice

    def pick_best(self) -> None:
        """Choose the claims with the highest scores, and no others."""
        self.chosen = {claim.number for claim in self._by_score()[: claims_labels.BEST]}

    def pick_all(self) -> None:
        """Choose every claim."""
        self.chosen = set(self.claims)

    def pick_none(self) -> None:
        """Choose none."""
        self.chosen = set()

    def switch(self, number: int) -> None:
        """Choose a claim, or leave it out when it was chosen."""
        self.chosen ^= {number}

    def ordered(self) -> list[Claim]:
        """Return all claims in the order that is wanted; those that were added stand first."""
        claims = self._by_score() if self.order == BY_SCORE else sorted(self.claims.values(), key=_in_time)
        return sorted(claims, key=lambda claim: claim.origin is not ClaimOrigin.USER or claim.number in self.edited)

    def picked(self) -> tuple[Claim, ...]:
        """Return the claims that are chosen, in the order of their numbers."""
        return tuple(self.claims[number] for number in sorted(self.chosen))

    def reword(self, number: int, text: str) -> None:
        """Word a claim anew, and choose it; an empty text changes nothing."""
        text = " ".join(text.split())
        if not text:
            self.problem = claims_labels.EDIT_EMPTY
            return
        if text != self.claims[number].text:
            self.claims[number] = replace(self.claims[number], text=text, origin=ClaimOrigin.USER)
            self.edited.add(number)
        self.chosen.add(number)
        self.editing, self.problem = 0, ""

    def add(self, text: str, at_s: float | None, lines: Sequence[Line]) -> bool:
        """Add a claim of the visitor's own, chosen, and return whether it was added; *lines* are the transcript."""
        text = " ".join(text.split())
        if not text:
            self.problem = claims_labels.EDIT_EMPTY
            return False
        number = max(self.claims, default=0) + 1
        moments: tuple[ClaimMoment, ...] = ()
        if at_s is not None:
            at_s = transcript_lines.start_in_second(lines, int(at_s))  # people read times off in whole seconds
            quote = lines[transcript_lines.line_at(lines, at_s)].text if lines else ""
            moments = (ClaimMoment(at_s, at_s, quote),)
        self.claims[number] = Claim(number=number, text=text, moments=moments, origin=ClaimOrigin.USER)
        self.chosen.add(number)
        self.problem = ""
        return True

    def remove(self, number: int) -> None:
        """Take back a claim that was added."""
        self.claims.pop(number, None)
        self.chosen.discard(number)

    def added(self) -> tuple[Claim, ...]:
        """Return the claims that the visitor has added."""
        return tuple(claim for claim in self.claims.values() if self.is_added(claim))

    def is_added(self, claim: Claim) -> bool:
        """Return whether the visitor has added *claim*, and not only worded it."""
        return claim.origin is ClaimOrigin.USER and claim.number not in self.edited

    def _by_score(self) -> list[Claim]:
        return sorted(self.claims.values(), key=lambda claim: (-claim.score, claim.number))


def _in_time(claim: Claim) -> tuple[float, int]:
    return (claim.start_s if claim.start_s is not None else float("inf")), claim.number
