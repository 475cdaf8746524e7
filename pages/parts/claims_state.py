"""Which check of a video is on the page, and what clicks on the page do to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, cast

import streamlit as st

from pages.parts import claims_drafts, services
from pages.parts.claims_choice import Choice
from pages.parts.page_session import page_session
from pages.parts.page_state import PageState
from pages.parts.visitor import owner
from search_core.domain import Claim, ClaimsRequest, ClaimsRun, ClaimsStatus, FoundClaims

if TYPE_CHECKING:
    from search_core.claims.difference import ClaimsDifference
    from search_core.domain import ClaimsBudget, ClaimsEntry, VideoContext

CHECKED = (ClaimsStatus.COMPLETE, ClaimsStatus.FINISHED_EARLY)
"""Ends that another check can be held against."""


class ClaimChecks(Protocol):
    """The part of the claim-checking service that the page uses."""

    def budget(self, claims: Sequence[Claim]) -> ClaimsBudget:
        """Return what checking *claims* takes."""
        ...

    def start(self, request: ClaimsRequest) -> ClaimsRun:
        """Start a run and return at once."""
        ...

    def get(self, run_id: str, owner: str) -> ClaimsRun:
        """Return a run as it stands."""
        ...

    def stop(self, run_id: str, owner: str) -> None:
        """Stop a run; what there is stays."""
        ...

    def finish(self, run_id: str, owner: str) -> None:
        """End a run with the claims checked so far."""
        ...

    def resume(self, run_id: str, owner: str) -> ClaimsRun:
        """Start a run that goes on from another."""
        ...

    def list(self, owner: str) -> tuple[ClaimsEntry, ...]:
        """Return the runs of *owner*, newest first."""
        ...

    def delete(self, run_id: str, owner: str) -> None:
        """Delete a run."""
        ...


@dataclass(slots=True)
class ClaimsPageState(PageState["ClaimsRun"]):
    """Holds which run one visitor looks at, and what they choose to have checked; lives in the session."""

    PARAM = "claims"
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
    deleting: bool = False
    """True while the visitor is asked whether the run is to be deleted."""
    awaited: bool = False
    """True while a run is watched whose end was not announced yet."""
    announced: str = ""
    """Id of the run whose end was announced last."""
    differences: dict[tuple[str, str], ClaimsDifference] = field(default_factory=dict)
    """Changes, by the ids of the two runs."""

    def load(self, item_id: str) -> ClaimsRun:
        """Return a run as it stands."""
        return claims().get(item_id, owner())

    def video_of(self, item: ClaimsRun) -> VideoContext | None:
        """Return the video that a run is about."""
        return item.request.video

    def reset(self) -> None:
        """Close what is asked about the run that was open."""
        self.deleting, self.awaited, self.opened = False, False, 0

    def choose_from(self, found: FoundClaims) -> Choice:
        """Return what the visitor chooses of *found*; what they added outlives a new finding in the same video."""
        wanted = (page_session().serial, found)
        if self.choice_of != wanted:
            same_video = self.choice_of is not None and self.choice_of[0] == wanted[0]
            stored = claims_drafts.find(found, self.choice_word) if self.choice_of is None else None
            if stored is None and not same_video:
                self.choice_word = ""
            added = self.choice.added() if same_video else ()
            self.choice, self.choice_of = stored or Choice.of(found, added), wanted
        return self.choice

    def keep_choice(self, found: FoundClaims) -> None:
        """Keep what the visitor has chosen of *found* for a reload, and put its word into the address."""
        self.choice_word = claims_drafts.store(self.choice, found, self.choice_word)
        if self.choice_word and st.query_params.get(claims_drafts.PARAM) != self.choice_word:
            st.query_params[claims_drafts.PARAM] = self.choice_word

    def in_address(self) -> dict[str, str]:
        """Return the word of the choice; the one of the address on the first look of a visit."""
        if self.choice_of is None:
            self.choice_word = self.choice_word or st.query_params.get(claims_drafts.PARAM, "")
        return {claims_drafts.PARAM: self.choice_word}


def claims_page() -> ClaimsPageState:
    """Return which run this visit looks at."""
    if "claims-page" not in st.session_state:
        st.session_state["claims-page"] = ClaimsPageState()
    state: ClaimsPageState = st.session_state["claims-page"]
    return state


def claims() -> ClaimChecks:
    """Return the service of this process that checks claims."""
    return cast(ClaimChecks, services.core().claims)


def open_run(run_id: str) -> None:
    """Show another run; for ``on_click``."""
    st.query_params[ClaimsPageState.PARAM] = run_id


def start_chosen() -> None:
    """Begin to check what is chosen of the video that is open; what prevents that is said on the page."""
    video = page_session().video
    if video is not None:
        _begin(ClaimsRequest(video=video, claims=claims_page().choice.picked(), owner=owner()))


def again(run: ClaimsRun) -> None:
    """Check the claims of a run once more, past the cache of searches; for ``on_click``."""
    _begin(ClaimsRequest(video=run.request.video, claims=run.request.claims, owner=owner(), fresh=True))


def _begin(request: ClaimsRequest) -> None:
    _open(lambda: claims().start(request))


def resume(run_id: str) -> None:
    """Go on from what a run has checked; for ``on_click``."""
    _open(lambda: claims().resume(run_id, owner()))


def _open(begin: Callable[[], ClaimsRun]) -> None:
    page = claims_page()
    begun: list[ClaimsRun] = []
    if page.attempt(lambda: begun.append(begin())):
        page.switch_to(begun[0].id)
        open_run(begun[0].id)


def stop() -> None:
    """Stop the run; for ``on_click``."""
    page = claims_page()
    page.attempt(lambda: claims().stop(page.id, owner()))


def finish() -> None:
    """End the run with what is checked; for ``on_click``."""
    page = claims_page()
    if page.attempt(lambda: claims().finish(page.id, owner())):
        page.finishing = page.id


def delete(run_id: str) -> None:
    """Delete a run and put it away."""
    page = claims_page()
    page.deleting = False
    if page.attempt(lambda: claims().delete(run_id, owner())):
        page.leave()


def entries() -> tuple[ClaimsEntry, ...]:
    """Return the runs of the visitor, newest first; none, and said on the page, when they cannot be had."""
    return claims_page().entries(lambda: claims().list(owner()))


def earlier(run: ClaimsRun, listed: Sequence[ClaimsEntry]) -> ClaimsEntry | None:
    """Return the newest of *listed* before *run* that checked the same video to an end and that *run* does not go on from."""
    own = next((entry for entry in listed if entry.id == run.id), None)
    if own is None:
        return None
    return next(
        (
            entry
            for entry in listed
            if entry.created_at < own.created_at
            and entry.status in CHECKED
            and entry.video_key == own.video_key
            and entry.id != run.request.continues
        ),
        None,
    )


def difference(before: str, after: ClaimsRun) -> ClaimsDifference | None:
    """Return what has changed since an earlier run, worked out once; None when that is gone."""
    known = claims_page().differences
    if (before, after.id) not in known:
        run = claims_page().find(before)
        if run is None:
            return None
        from search_core.claims.difference import compare_checks  # loaded by now, with the service

        known[before, after.id] = compare_checks(run, after)
    return known[before, after.id]
