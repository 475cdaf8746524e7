"""The sidebar: which scorer is at work, and why where it is not the chosen one."""

from __future__ import annotations

import streamlit as st

from pages.parts import services
from pages.parts.escaping import md

SCORER_STATES = {"embedded": "", "loading": " · 의미 모델을 불러오는 중", "ready": " ✓", "failed": " · 의미 모델을 쓰지 못함"}


def scorer() -> None:
    """Draw the name of the scorer."""
    state = services.core().scorer()
    words = f"채점: {md(state.label, 60)}{SCORER_STATES.get(state.state, '')}"
    st.caption(words, help=md(state.detail, 300) if state.detail else None)
    if not (state.as_chosen or state.awaited):
        st.caption(md(state.detail, 300))
