"""The question box of research, the switch for a plan first, and the introduction before the first run."""

from __future__ import annotations

import streamlit as st

from pages.parts import labels, research_labels, research_state, services, video_picker
from pages.parts.page_session import page_session
from search_core.domain import MAX_QUESTION_CHARS


def question_box() -> None:
    """Draw the box; Enter or the button begins a run."""
    with st.form("research", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom", wrap=False):
            st.text_input(
                research_labels.QUESTION,
                key=research_state.QUESTION_KEY,
                placeholder=research_labels.QUESTION_HINT_FREE if page_session().video is None else research_labels.QUESTION_HINT,
                label_visibility="collapsed",
                max_chars=MAX_QUESTION_CHARS,
                persist_state="session",
            )
            st.form_submit_button(
                research_labels.START,
                key="start-research",
                type="primary",
                icon=":material/travel_explore:",
                on_click=research_state.start_typed,
            )
        st.toggle(
            research_labels.PLAN_FIRST,
            key=research_state.PLAN_FIRST_KEY,
            help=research_labels.PLAN_FIRST_HELP,
            persist_state="session",
        )


def welcome() -> None:
    """Say what research does, with questions to start from; without a video, offer the samples."""
    with st.container(key="research-welcome"):
        st.markdown(f"## {research_labels.TITLE}", anchors=False)
        st.markdown("\n\n".join(research_labels.WHAT_IT_DOES))
        settings = services.core().settings
        if not settings.openai_model:
            st.caption(research_labels.NO_MODEL)
        else:
            st.caption(research_labels.OWN_GOES if settings.may_send_own_documents else research_labels.OWN_STAYS)
        if page_session().video is None:
            st.markdown(f"### {labels.SAMPLES}", anchors=False)
            video_picker.samples()
        else:
            video_picker.examples("research-example", _fill_in, tip=research_labels.EXAMPLE_HELP)


def _fill_in(question: str) -> None:
    st.session_state[research_state.QUESTION_KEY] = question
