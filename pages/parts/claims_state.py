"""Which check of a video is on the page, which claims the visitor wants checked, and what clicks on the page do to both."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import streamlit as st

from pages.parts import services, transcript_lines
from pages.parts.page_session import page_session
from pages.parts.page_state import PageState, RunPageState
from pages.parts.transcript_lines import Line
from pages.parts.visitor import owner
from search_core.domain import Claim, ClaimMoment, ClaimOrigin, ClaimsEntry, ClaimsRequest, ClaimsRun, FoundClaims, by_worth
from search_core.recent import Recent

if TYPE_CHECKING:
    from search_core.claims.service import ClaimsService

BY_SCORE, BY_TIME = "score", "time"
SHOWN = 20
"""Claims in sight at first; the rest are a click away."""
CHOICE_PARAM = "picked"
"""Its name in the address."""
_KEPT = 200
BEST = 12
EDIT_EMPTY = "확인할 주장을 적어 주세요."


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

    def grown(self, found: FoundClaims) -> Choice:
        """Return the same choice of what was *found* in the same video since: what was chosen, worded and added here stays."""
        grown = replace(Choice.of(found, self.added()), order=self.order, shown=self.shown)
        here = {number for number, claim in self.claims.items() if number in grown.claims and grown.claims[number].id == claim.id}
        best = Choice({number: claim for number, claim in self.claims.items() if not self.is_added(claim)}, self.less_certain)
        best.pick_best()
        if self.edited or best.chosen != self.chosen & best.claims.keys():  # the highest scores are no longer chosen, as at first
            grown.chosen = (self.chosen & here) | {claim.number for claim in grown.added()}
        for number in self.edited & here:
            grown.claims[number] = self.claims[number]
            grown.edited.add(number)
        return grown

    def pick_best(self) -> None:
        """Choose the claims with the highest scores, and no others."""
        best = sorted(self.ordered(), key=by_worth)[:BEST]
        self.chosen = {claim.number for claim in best}

    def pick_all(self) -> None:
        """Choose every claim that is certain besides the less certain ones that are chosen."""
        self.chosen |= self.claims.keys() - self.less_certain

    def switch(self, number: int) -> None:
        """Choose a claim, or leave it out when it was chosen."""
        self.chosen ^= {number}

    def ordered(self, *, certain: bool = True) -> list[Claim]:
        """Return the claims, or the less certain ones, in the order that is wanted; those that were added stand first."""
        claims = [claim for claim in self.claims.values() if (claim.number not in self.less_certain) is certain]
        if self.order == BY_SCORE:
            claims.sort(key=by_worth)
        else:
            claims.sort(key=lambda claim: (claim.start_s if claim.start_s is not None else float("inf"), claim.number))
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
            self.problem = EDIT_EMPTY
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
            self.problem = EDIT_EMPTY
            return False
        number = max(self.claims, default=0) + 1
        moments: tuple[ClaimMoment, ...] = ()
        if at_s is not None:
            at_s = transcript_lines.start_in_second(lines, int(at_s))  # people read times off in whole seconds
            moments = (ClaimMoment(at_s, at_s, lines[transcript_lines.line_at(lines, at_s)].text if lines else ""),)
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


@st.cache_resource(show_spinner=False)
def _choices() -> Recent[tuple[str, str], tuple[FoundClaims, Choice]]:
    """Return the choices of this process by their owner and their word, each with the claims it was made of."""
    return Recent(_KEPT)


def _copy(choice: Choice) -> Choice:
    """Return *choice* as it is when nothing of it is being worded."""
    claims, chosen, edited = dict(choice.claims), set(choice.chosen), set(choice.edited)
    return replace(choice, claims=claims, chosen=chosen, edited=edited, editing=0, problem="")


@dataclass(slots=True)
class ClaimsPageState(RunPageState[ClaimsRun, ClaimsEntry]):
    """Holds which run one visitor looks at, and what they choose to have checked; lives in the session."""

    PARAM = "claims"
    NAME = "claims"
    NOUN, OBJECT = "확인", "확인을"
    EXPORTS = ("markdown", "html", "csv", "json")
    FINISH_HELP = "하고 있는 것만 마치고, 남은 것은 확인하지 않아요."
    STOP_HELP = "바로 멈춰요. 확인한 것은 남아요."
    choice: Choice = field(default_factory=Choice)
    choice_of: tuple[int, FoundClaims] | None = None
    """The serial of the video, and the claims found in it, that ``choice`` is of."""
    choice_word: str = ""
    """The word of the address under which the choice is stored; empty while it is the default choice."""
    opened: int = 0
    """Number of the claim that was opened from the timeline last."""
    opens: int = 0
    """Counts openings."""
    looked_again: int = 0
    """The serial of the video whose claims were looked for once more."""
    finishing: str = ""
    """Id of the run that the visitor has asked to finish."""

    @property
    def service(self) -> ClaimsService:
        """Return the service of this process that checks claims."""
        return services.core().claims

    def reset(self) -> None:
        """Close the claim that was opened in the run that was open."""
        PageState.reset(self)
        self.opened = 0

    def make_file(self, run_id: str, owner: str, name: str) -> bytes:
        """Return a run of *owner* as a file of that format."""
        from search_core.claims.export import ClaimsFormat, export_claims

        return export_claims(self.service.get(run_id, owner), cast(ClaimsFormat, name))

    def resume(self, run_id: str) -> None:
        """Go on with a run; for ``on_click``."""
        self.finishing = ""
        RunPageState.resume(self, run_id)

    def finish(self) -> None:
        """End the run with what is checked; for ``on_click``."""
        RunPageState.finish(self)
        self.finishing = self.finishing if self.error else self.id

    def choose_from(self, found: FoundClaims) -> Choice:
        """Return what the visitor chooses of *found*; what they added outlives a new finding in the same video."""
        wanted = (page_session().serial, found)
        if self.choice_of != wanted:
            same_video = self.choice_of is not None and self.choice_of[0] == wanted[0]
            stored = _choices().get((owner(), self.choice_word)) if self.choice_word and self.choice_of is None else None
            if stored is not None and stored[0] == found:
                self.choice = _copy(stored[1])
            else:
                self.choice_word = self.choice_word if same_video else ""
                self.choice = self.choice.grown(found) if same_video else Choice.of(found)
            self.choice_of = wanted
        return self.choice

    def keep_choice(self, found: FoundClaims) -> None:
        """Keep what the visitor has chosen of *found* for a reload, and put its word into the address."""
        if self.choice_word or self.choice != Choice.of(found):
            self.choice_word = self.choice_word or secrets.token_urlsafe(12)
            _choices().put((owner(), self.choice_word), (found, _copy(self.choice)))
        if self.choice_word and st.query_params.get(CHOICE_PARAM) != self.choice_word:
            page_session().opened[CHOICE_PARAM] = st.query_params[CHOICE_PARAM] = self.choice_word

    def in_address(self) -> dict[str, str]:
        """Return the word of the choice; the one of the address on the first look of a visit."""
        if self.choice_of is None:
            self.choice_word = self.choice_word or st.query_params.get(CHOICE_PARAM, "")
        return {CHOICE_PARAM: self.choice_word}


claims_page = ClaimsPageState.current


def check(claims: tuple[Claim, ...]) -> None:
    """Begin to check *claims* of the video that is open; what prevents that is said on the page."""
    video = page_session().video
    if video is not None:
        claims_page().start(ClaimsRequest(video=video, claims=claims, owner=owner()))


def again(run: ClaimsRun) -> None:
    """Check the claims of a run once more, past the cache of searches; for ``on_click``."""
    claims_page().start(ClaimsRequest(video=run.request.video, claims=run.request.claims, owner=owner(), fresh=True))
