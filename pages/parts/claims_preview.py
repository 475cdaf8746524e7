"""Claims of the open video that are worth a check, below the example questions until something is searched for."""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import Future
from functools import partial

import streamlit as st

from pages.parts import claims_state, services
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from search_core.domain import Claim, FoundClaims, VideoContext, by_worth
from search_core.errors import MaekrakError
from search_core.runtime import run_in_thread
from search_core.text.video_time import clock

SHOWN = 3
PAUSE_S = 1.5
"""Seconds after a video is opened in which a visitor may ask: finding claims holds up a search that begins beside it."""
POLL_S = 0.5
_TEXT_CHARS = 110
CLAIM_HELP = "영상 확인에서 이 말 하나를 골라 둬요. 확인은 거기서 시작해요."


def claims_preview() -> None:
    """Offer the claims that are most worth a check as soon as they are found, and the page where all of them are checked.

    They are found beside the page, and no language model is asked: nobody has asked for them. While a model of meaning is being
    loaded they are not looked for.
    """
    video, finding = page_session().video, page_session().claims
    if video is None:
        return
    with st.container(key="claims-preview"):
        if finding is not None and finding.done():
            _list(video, finding)
        elif video.transcript and services.core().scorer().state != "loading":
            st.fragment(_await, run_every=POLL_S)(video)
        st.page_link("pages/claims.py", label="이 영상에서 한 말이 맞는지 한꺼번에 확인하기", icon=":material/fact_check:")


def _await(video: VideoContext) -> None:
    session = page_session()
    if session.claims is None and time.monotonic() - session.opened_s > PAUSE_S:
        find = partial(services.core().find_claims, video, quickly=True, worded=False)
        session.claims = run_in_thread(find, "maekrak-beside-page")
    if session.claims is not None and session.claims.done():
        st.rerun()
    st.caption("웹에서 확인해 볼 만한 말을 찾고 있어요…")


def _list(video: VideoContext, finding: Future[FoundClaims]) -> None:
    """Draw what was found; a video of which nothing can be found is a matter of the page of claims."""
    try:
        found = finding.result().claims
    except MaekrakError:
        return
    if found:
        st.caption("웹에서 확인해 볼 만한 말")
    for claim in _strongest(found):
        at = f"`{clock(claim.start_s)}` " if claim.start_s is not None and video.timed else ""
        if st.button(at + md(claim.text, _TEXT_CHARS), key=f"claim-{claim.id}", type="tertiary", help=CLAIM_HELP):
            page = claims_state.claims_page()
            page.leave()
            page.wanted = claim
            st.switch_page("pages/claims.py")


def _strongest(found: Iterable[Claim]) -> list[Claim]:
    """Return the claims most worth a check, none of which was said in the same words of the video as one before it."""
    strongest: list[Claim] = []
    for claim in sorted(found, key=by_worth):
        if not any(_overlap(claim, other) for other in strongest) and len(strongest) < SHOWN:
            strongest.append(claim)
    return strongest


def _overlap(claim: Claim, other: Claim) -> bool:
    return any(one.start_s < two.end_s and two.start_s < one.end_s for one in claim.moments for two in other.moments)
