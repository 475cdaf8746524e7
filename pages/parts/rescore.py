"""Results are scored anew in place when a better scorer than theirs is ready, and the page says so."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls, services
from pages.parts import scorer_labels as labels
from pages.parts.page_session import page_session

POLL_S = 0.5
BY_WORDS = "kiwi"
"""The scorer that sees words alone."""


def rescoring() -> None:
    """Draw how results come to their better scores, redrawn by itself while they are on their way."""
    with st.container(key="rescoring"):
        if _can_improve():
            st.fragment(_view, run_every=POLL_S)()
        else:
            _tell(page_session().rescored)


def _tell(words: str) -> None:
    """Say *words* about the scores in sight, where there are any."""
    report = page_session().report
    if words and report is not None and controls.place_results(report)[0].results:
        st.caption(words)


def _can_improve() -> bool:
    """Return whether the results in sight can have better scores soon."""
    session = page_session()
    if session.report is None or session.job is not None or session.report.scorer == "none":
        return False
    if not session.report.results and not session.report.hidden:
        return False
    state = services.core().scorer()
    if state.state not in ("loading", "ready"):
        return False
    coming = state.awaited if state.state == "loading" else state.name
    return coming not in (session.report.scorer, session.rescored_by or None)


def _view() -> None:
    session, core = page_session(), services.core()
    if not _can_improve() or session.report is None:
        st.rerun()
    state, before = core.scorer(), session.report
    by_words = before.scorer == BY_WORDS
    if state.state == "loading":
        _tell(labels.SCORER_LOADING if by_words else labels.SCORER_LOADING_OTHER)
        return
    _tell(labels.SCORER_RESCORING if by_words else labels.SCORER_RESCORING_OTHER)
    after = core.rescore(before)
    if session.report is before:
        better = after.scorer != before.scorer
        session.report, session.rescored_by = after if better else before, state.name
        if by_words:
            session.rescored = labels.SCORER_RESCORED if better else labels.SCORER_NOT_RESCORED
        else:
            session.rescored = labels.SCORER_RESCORED_OTHER if better else labels.SCORER_NOT_RESCORED_OTHER
    st.rerun()
