"""State of the claims tab: which check is open, which claims are selected, and what clicks do to both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, cast

from pages.parts.shared import services, transcript_lines
from pages.parts.shared.page_session import page_session
from pages.parts.shared.page_state import PageState, RunPageState
from pages.parts.shared.transcript_lines import Line
from pages.parts.shared.visitor import owner
from search_core.domain.claim import Claim, ClaimMoment, ClaimOrigin, ClaimsEntry, ClaimsRequest, ClaimsRun, FoundClaims, by_score
from search_core.domain.video import VideoContext
from search_core.runtime import run_in_thread

if TYPE_CHECKING:
    from search_core.checking.claims.service import ClaimsService

BEST = 12
QUICK_S = 0.3
"""If claims are found within this, they are shown at once, without progress in between."""


@dataclass(slots=True)
class Choice:
    """Holds which claims a visitor selected or added."""

    claims: dict[int, Claim] = field(default_factory=dict)
    """Claims by number."""
    less_certain: frozenset[int] = frozenset()
    """Numbers of the less certain claims, which are only selected one by one."""
    chosen: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, result: FoundClaims, added: Sequence[Claim] = ()) -> Choice:
        """Return a choice of the claims with the highest scores, and of those that were *added*."""
        claims = {claim.number: claim for claim in (*result.claims, *result.less_certain)}
        choice = cls(claims, frozenset(claim.number for claim in result.less_certain))
        choice.pick_best()
        for number, claim in enumerate(added, start=max(choice.claims, default=0) + 1):
            choice.claims[number] = replace(claim, number=number)
            choice.chosen.add(number)
        return choice

    def grown(self, before: FoundClaims, result: FoundClaims) -> Choice:
        """Return a choice among *result*, found after *before*; if the visitor changed this choice, their selection stays."""
        added = tuple(filter(is_added, self.claims.values()))
        grown, chosen = Choice.of(result, added), {claim.id for claim in self.picked()}
        if chosen != {claim.id for claim in Choice.of(before, added).picked()}:  # the visitor has changed the first choice
            grown.chosen = {number for number, claim in grown.claims.items() if claim.id in chosen}
        return grown

    def pick_best(self) -> None:
        """Choose the claims with the highest scores, and no others."""
        best = sorted(self.ordered(), key=by_score)[:BEST]
        self.chosen = {claim.number for claim in best}

    def pick_all(self) -> None:
        """Choose every certain claim in addition to the chosen less certain ones."""
        self.chosen |= self.claims.keys() - self.less_certain

    def switch(self, number: int) -> None:
        """Select a claim, or deselect a selected one."""
        self.chosen ^= {number}

    def ordered(self, *, certain: bool = True) -> list[Claim]:
        """Return the claims (or the less certain ones) by score; added ones come first."""
        claims = [claim for claim in self.claims.values() if (claim.number not in self.less_certain) is certain]
        return sorted(sorted(claims, key=by_score), key=lambda claim: not is_added(claim))

    def picked(self) -> tuple[Claim, ...]:
        """Return the claims that are chosen, in the order of their numbers."""
        return tuple(self.claims[number] for number in sorted(self.chosen))

    def add(self, text: str, at_s: float | None, lines: Sequence[Line]) -> None:
        """Add the visitor's own claim and select it; *lines* are the transcript."""
        number = max(self.claims, default=0) + 1
        moments: tuple[ClaimMoment, ...] = ()
        if at_s is not None:
            moments = (ClaimMoment(at_s, at_s, lines[transcript_lines.line_at(lines, at_s)].text if lines else ""),)
        self.claims[number] = Claim(number=number, text=text, moments=moments, origin=ClaimOrigin.USER)
        self.chosen.add(number)


def is_added(claim: Claim) -> bool:
    """Return whether the visitor has added *claim*."""
    return claim.origin is ClaimOrigin.USER


@dataclass(slots=True)
class ClaimsPageState(RunPageState[ClaimsRun, ClaimsEntry]):
    """Holds which check a visitor has open and which claims they selected; lives in the session."""

    PARAM = "claims"
    NAME = "claims"
    NOUN, OBJECT = "확인", "확인을"
    EXPORTS = ("markdown", "html", "json")
    FINISH_HELP = "하고 있는 것만 마치고, 남은 것은 확인하지 않아요."
    STOP_HELP = "바로 멈춰요. 확인한 것은 남아요."
    choice: Choice = field(default_factory=Choice)
    choice_of: tuple[int, FoundClaims] | None = None
    """The video's serial and its claims for which ``choice`` was made."""
    opened: int = 0
    """Number of the claim that was opened from the timeline last."""
    opens: int = 0
    """Counts how often claims were opened from the timeline."""
    finishing: str = ""
    """Id of the run that the visitor has asked to finish."""
    finding: Future[FoundClaims] | None = None
    """The search for claims, running or ended, in the video ``found_in``."""
    whole: Future[FoundClaims] | None = None
    """The search in the whole of a long video, after ``finding`` quickly read its beginning; replaces that."""
    found_in: VideoContext | None = None

    @property
    def service(self) -> ClaimsService:
        """Return the service of this process that checks claims."""
        return services.core().claims

    def reset(self) -> None:
        """Close the claim that was open in the earlier run."""
        PageState.reset(self)
        self.opened = 0

    def make_file(self, run_id: str, owner: str, name: str) -> bytes:
        """Return a run of *owner* as a file of that format."""
        from search_core.checking.claims.export import ClaimsFormat, export_claims

        return export_claims(self.service.get(run_id, owner), cast(ClaimsFormat, name))

    def steer(self, act: Callable[[str, str], object], run_id: str) -> None:
        """Send a command to a run, and note whether it was to finish; for ``on_click``."""
        RunPageState.steer(self, act, run_id)
        self.finishing = run_id if act == self.service.finish else ""

    def choose_from(self, result: FoundClaims) -> Choice:
        """Return the visitor's selection among the claims of *result*; it stays when more are found in the same video."""
        before, self.choice_of = self.choice_of, (page_session().serial, result)
        if before is None or before[0] != self.choice_of[0]:
            self.choice = Choice.of(result)
        elif before[1] != result:
            self.choice = self.choice.grown(before[1], result)
        return self.choice

    def find_claims(self, video: VideoContext) -> Future[FoundClaims]:
        """Look for claims in *video*, quickly at first; a later call returns those of the whole video once they are found."""
        find, name = services.core().find_claims, "maekrak-claims"
        if self.finding is None or self.found_in != video or (self.finding.done() and self.finding.exception() is not None):
            self.finding, self.whole, self.found_in = run_in_thread(partial(find, video, quickly=True), name), None, video
            wait((self.finding,), QUICK_S)
        if self.finding.done() and self.finding.exception() is None and not self.finding.result().complete:
            if self.whole is None:
                self.whole = run_in_thread(partial(find, video), name)
            elif self.whole.done() and self.whole.exception() is None:
                self.finding = self.whole
        return self.finding


claims_page = ClaimsPageState.current


def check(claims: tuple[Claim, ...]) -> None:
    """Start a check of *claims* of the open video; report on the page what prevents it."""
    video = page_session().video
    if video is not None:
        claims_page().start(ClaimsRequest(video=video, claims=claims, owner=owner()))


def again(run: ClaimsRun) -> None:
    """Repeat the check of a run's claims without the cache; for ``on_click``."""
    claims_page().start(ClaimsRequest(video=run.request.video, claims=run.request.claims, owner=owner(), fresh=True))
