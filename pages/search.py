"""검색: a question about a video becomes ranked results, each with its source and its moment."""

from __future__ import annotations

import streamlit as st

from pages.parts import address, chat_state, frame, labels, question_box, research_state, search_actions, services, video_picker
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.progress import progress
from pages.parts.results import rescoring, results
from pages.parts.video_panel import video_panel


def _next_steps() -> None:
    """Offer to ask the question in a conversation, or to have it researched, about the video that is open."""
    session = page_session()
    with st.container(key="next-steps", horizontal=True, vertical_alignment="center"):
        if session.report is None or not session.asked:
            return
        st.caption(labels.NEXT_STEPS, width="content")
        if st.button(labels.TO_CHAT, key="to-chat", type="tertiary", icon=":material/forum:", help=labels.TO_CHAT_HELP):
            chat_state.hand_over(session.asked)
        if st.button(
            labels.TO_RESEARCH, key="to-research", type="tertiary", icon=":material/travel_explore:", help=labels.TO_RESEARCH_HELP
        ):
            research_state.hand_over(session.asked)


with frame.zones() as (main, aside):
    address.apply()
    session = page_session()
    search_actions.ask_handed_over()
    session.sync_job()
    if session.job is not None and session.searching:
        session.job.wait_for_results(search_actions.QUICK_S)
        session.sync_job()
    with main:
        question_box.question_box()
        services.core()  # from here on the page needs it; the box above is there before it
        if session.notice:
            st.info(md(session.notice), icon=":material/info:")
        if session.video is not None and session.report is None and not session.searching:
            video_picker.examples("example", search_actions.ask_example)
        progress()
        rescoring()
        _next_steps()
        results()
    with aside:
        video_panel()
    with main:
        if session.video is None and session.report is None and not session.searching:
            video_picker.welcome("search", labels.TAGLINE, labels.WHAT_IT_DOES)
