"""The question of the search, taken on to a conversation or to research in one click."""

from __future__ import annotations

import streamlit as st

from pages.parts import chat_state, labels, research_state
from pages.parts.page_session import page_session


def next_steps() -> None:
    """Offer to ask the question in a conversation, or to have it researched, about the video that is open."""
    session = page_session()
    with st.container(key="next-steps", horizontal=True, vertical_alignment="center"):
        if session.report is None or not session.asked:
            return
        st.caption(labels.NEXT_STEPS, width="content")
        if st.button(labels.TO_CHAT, key="to-chat", type="tertiary", icon=":material/forum:", help=labels.TO_CHAT_HELP):
            chat_state.chat_page().handed_over = session.asked
            st.switch_page("pages/chat.py")
        if st.button(
            labels.TO_RESEARCH, key="to-research", type="tertiary", icon=":material/travel_explore:", help=labels.TO_RESEARCH_HELP
        ):
            st.session_state[research_state.QUESTION_KEY] = session.asked
            research_state.research_page().leave()
            st.switch_page("pages/research.py")
