"""Which claims of a video the visitor wants checked, as they word them; kept in this process for a reload."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import streamlit as st

from pages.parts import claims_labels, transcript_lines
from pages.parts.transcript_lines import Line
from pages.parts.visitor import owner
from search_core.domain import Claim, ClaimMoment, ClaimOrigin, FoundClaims
from search_core.recent import Recent

BY_SCORE, BY_TIME = "score", "time"
SHOWN = 20
"""Claims in sight at first; the rest are a click away."""
CHOICE_PARAM = "picked"
"""Its name in the address."""
_KEPT = 200


@dataclass(slots=True)
class Choice:
    """Holds what a visitor makes of the claims that were found."""

    claims: dict[int, Claim] = field(default_factory=dict)
    """Claims by number, as they are worded now."""
    less_certain: frozenset[int] = frozenset()
    """Numbers of those that are chosen one by one or not at all."""
    chosen: set[int] = field(default_factory=set)
    edited: set[int] = field(default_factory=set)
    order: str = BY_SCORE
    shown: int = SHOWN
    shown_less_certain: int = SHOWN
    editing: int = 0
    """Number of the claim that is being worded anew; 0 for none."""
    problem: str = ""
    """A Korean sentence about what could not be taken."""

    @classmethod
    def of(cls, found: FoundClaims, added: Sequence[Claim] = ()) -> Choice:
        """Return a choice of the claims with the highest scores, and of those that were *added*."""
        claims = {claim.number: claim for claim in (*found.claims, *found.less_certain)}
        choice = cls(claims, frozenset(claim.number for claim in found.less_certain))
        choice.pick_best()
        for number, claim in enumerate(added, start=max(choice.claims, default=0) + 1):
            choice.claims[number] = replace(claim, number=number)
            choice.chosen.add(number)
        return choice

    def pick_best(self) -> None:
        """Choose the claims with the highest scores, and no others."""
        best = sorted(self.ordered(), key=_by_score)[: claims_labels.BEST]
        self.chosen = {claim.number for claim in best}

    def pick_all(self) -> None:
        """Choose every claim that is certain besides the less certain ones that are chosen."""
        self.chosen |= self.claims.keys() - self.less_certain

    def pick_none(self) -> None:
        """Choose none."""
        self.chosen = set()

    def switch(self, number: int) -> None:
        """Choose a claim, or leave it out when it was chosen."""
        self.chosen ^= {number}

    def ordered(self, *, certain: bool = True) -> list[Claim]:
        """Return the claims, or the less certain ones, in the order that is wanted; those that were added stand first."""
        claims = [claim for claim in self.claims.values() if (claim.number not in self.less_certain) is certain]
        claims.sort(key=_by_score if self.order == BY_SCORE else _in_time)
        return sorted(claims, key=lambda claim: not self.is_added(claim))

    def show_more(self, *, certain: bool) -> None:
        """Have more of the claims, or of the less certain ones, in sight."""
        if certain:
            self.shown += SHOWN
        else:
            self.shown_less_certain += SHOWN

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


def _by_score(claim: Claim) -> tuple[float, int]:
    return -claim.score, claim.number


def _in_time(claim: Claim) -> tuple[float, int]:
    return (claim.start_s if claim.start_s is not None else float("inf")), claim.number


@st.cache_resource(show_spinner=False)
def _choices() -> Recent[tuple[str, str], tuple[FoundClaims, Choice]]:
    """Return the choices of this process by their owner and their word, each with the claims it was made of."""
    return Recent(_KEPT)


def store_choice(choice: Choice, found: FoundClaims, word: str) -> str:
    """Keep *choice* under *word* once it is not the one that is made for everybody, and return the word, a new one for none."""
    if not word and choice == Choice.of(found):
        return ""
    word = word or secrets.token_urlsafe(12)
    _choices().put((owner(), word), (found, _copy(choice)))
    return word


def find_choice(found: FoundClaims, word: str) -> Choice | None:
    """Return the visitor's choice that is stored under *word*, if it is of the same claims; else None."""
    stored = _choices().get((owner(), word)) if word else None
    return _copy(stored[1]) if stored is not None and stored[0] == found else None


def _copy(choice: Choice) -> Choice:
    """Return *choice* as it is when nothing of it is being worded."""
    claims, chosen, edited = dict(choice.claims), set(choice.chosen), set(choice.edited)
    return replace(choice, claims=claims, chosen=chosen, edited=edited, editing=0, problem="")
