"""Results that were ordered by words are scored anew in place when the model is ready, and the page says so."""

from __future__ import annotations

import streamlit as st

from pages.parts import labels, services
from pages.parts.page_session import page_session

POLL_S = 0.5


def rescoring() -> None:
    """Draw how results come to their better scores, redrawn by itself while they are on their way."""
    with st.container(key="rescoring"):
        if _can_improve():
            st.fragment(_view, run_every=POLL_S)()
        elif page_session().rescored:
            st.caption(page_session().rescored)


def _can_improve() -> bool:
    """Tell whether the results in sight can have better scores soon."""
    session = page_session()
    if session.report is None or session.job is not None or session.rescored or session.report.scorer == "none":
        return False
    if not session.report.results and not session.report.hidden:
        return False
    state = services.core().scorer()
    return state.state == "loading" or (state.state == "ready" and session.report.scorer != state.name)


def _view() -> None:
    session, core = page_session(), services.core()
    if not _can_improve() or session.report is None:
        st.rerun()
    if core.scorer().state == "loading":
        st.caption(labels.SCORER_LOADING)
        return
    st.caption(labels.SCORER_RESCORING)
    before = session.report
    after = core.rescore(before)
    if session.report is before:
        better = after.scorer != before.scorer
        session.report = after if better else before
        session.rescored = labels.SCORER_RESCORED if better else labels.SCORER_NOT_RESCORED
    st.rerun()
