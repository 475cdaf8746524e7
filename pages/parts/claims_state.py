"""Which check of a video is on the page, and what clicks on the page do to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import streamlit as st

from pages.parts import claims_choice, claims_labels, services
from pages.parts.claims_choice import Choice
from pages.parts.page_session import page_session
from pages.parts.page_state import PageState, RunPageState
from pages.parts.visitor import owner
from search_core.domain import ClaimsEntry, ClaimsRequest, ClaimsRun, FoundClaims

if TYPE_CHECKING:
    from search_core.claims.difference import ClaimsDifference
    from search_core.claims.service import ClaimsService


@dataclass(slots=True)
class ClaimsPageState(RunPageState["ClaimsRun", "ClaimsEntry", "ClaimsDifference"]):
    """Holds which run one visitor looks at, and what they choose to have checked; lives in the session."""

    PARAM = "claims"
    TEXTS = claims_labels.RUNS
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

    def load(self, item_id: str) -> ClaimsRun:
        """Return a run as it stands."""
        return claims().get(item_id, owner())

    def listed(self) -> tuple[ClaimsEntry, ...]:
        """Return the runs of the visitor, newest first."""
        return claims().list(owner())

    def remove(self, item_id: str) -> None:
        """Delete a run."""
        claims().delete(item_id, owner())

    def reset(self) -> None:
        """Close what is asked about the run that was open, and the claim that was opened in it."""
        PageState.reset(self)
        self.opened = 0

    def compare(self, before: ClaimsRun, after: ClaimsRun) -> ClaimsDifference:
        """Return what has changed between two runs."""
        from search_core.claims.difference import compare_checks  # loaded by now, with the service

        return compare_checks(before, after)

    def make_file(self, run_id: str, owner: str, name: str) -> bytes:
        """Return a run of *owner* as a file of that format."""
        from search_core.claims.export import ClaimsFormat, export_claims

        return export_claims(claims().get(run_id, owner), cast(ClaimsFormat, name)).data

    def finish(self) -> None:
        """End the run with what is checked; for ``on_click``."""
        if self.attempt(lambda: claims().finish(self.id, owner())):
            self.finishing = self.id

    def stop(self) -> None:
        """Stop the run; for ``on_click``."""
        self.attempt(lambda: claims().stop(self.id, owner()))

    def choose_from(self, found: FoundClaims) -> Choice:
        """Return what the visitor chooses of *found*; what they added outlives a new finding in the same video."""
        wanted = (page_session().serial, found)
        if self.choice_of != wanted:
            same_video = self.choice_of is not None and self.choice_of[0] == wanted[0]
            stored = claims_choice.find_choice(found, self.choice_word) if self.choice_of is None else None
            if stored is None and not same_video:
                self.choice_word = ""
            added = self.choice.added() if same_video else ()
            self.choice, self.choice_of = stored or Choice.of(found, added), wanted
        return self.choice

    def keep_choice(self, found: FoundClaims) -> None:
        """Keep what the visitor has chosen of *found* for a reload, and put its word into the address."""
        self.choice_word = claims_choice.store_choice(self.choice, found, self.choice_word)
        if self.choice_word and st.query_params.get(claims_choice.CHOICE_PARAM) != self.choice_word:
            st.query_params[claims_choice.CHOICE_PARAM] = self.choice_word

    def in_address(self) -> dict[str, str]:
        """Return the word of the choice; the one of the address on the first look of a visit."""
        if self.choice_of is None:
            self.choice_word = self.choice_word or st.query_params.get(claims_choice.CHOICE_PARAM, "")
        return {claims_choice.CHOICE_PARAM: self.choice_word}


def claims_page() -> ClaimsPageState:
    """Return which run this visit looks at."""
    return ClaimsPageState.current()


def claims() -> ClaimsService:
    """Return the service of this process that checks claims."""
    return services.core().claims


def start_chosen() -> None:
    """Begin to check what is chosen of the video that is open; what prevents that is said on the page."""
    video = page_session().video
    if video is not None:
        _begin(ClaimsRequest(video=video, claims=claims_page().choice.picked(), owner=owner()))


def again(run: ClaimsRun) -> None:
    """Check the claims of a run once more, past the cache of searches; for ``on_click``."""
    _begin(ClaimsRequest(video=run.request.video, claims=run.request.claims, owner=owner(), fresh=True))


def _begin(request: ClaimsRequest) -> None:
    claims_page().begin(lambda: claims().start(request))


def resume(run_id: str) -> None:
    """Go on from what a run has checked; for ``on_click``."""
    claims_page().begin(lambda: claims().resume(run_id, owner()))
