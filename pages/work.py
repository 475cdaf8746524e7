"""작업: one thread of questions, with or without a video, and the claims of the video in a second tab."""

from __future__ import annotations

import streamlit as st

from pages.parts.claims import claims_picker, claims_state, claims_view
from pages.parts.shared import address, frame
from pages.parts.shared.escaping import md
from pages.parts.shared.page_session import page_session
from pages.parts.workspace import (
    asking,
    chat_state,
    chat_view,
    research_view,
    results,
    search_actions,
    video_picker,
)
from pages.parts.workspace.video_panel import video_panel


def _thread() -> None:
    """Draw the conversation with the evidence of its newest question, or the run of research that is open."""
    page, research = chat_state.chat_page(), chat_state.research_page()
    run = research.attach()
    if run is not None and run.request.conversation_id and page.find(run.request.conversation_id):  # it is shown there
        research.leave()
        page.show(run.request.conversation_id)
        run = None
    conversation = page.attach()
    sent, state_place, stop_place = asking.box()
    asking.new_thread(open_now=conversation is not None or run is not None)
    with frame.zones(beside=page_session().video is not None) as (main, aside):
        with main, frame.tabs():
            with state_place:
                asking.take(conversation, sent)
                search_actions.sync()
                video_picker.opening()
            if run is not None:
                research_view.view(run)
            else:
                _messages()
            with state_place:  # in sight, wherever in the thread the reader is
                for state in (research, page):
                    state.show_problem()
        with aside:
            video_panel()
    if chat_state.running(conversation):  # drawn after the messages, one of which may have just ended
        stop_place.button("답변 멈추기", key="stop-answer", icon=":material/stop_circle:", on_click=chat_state.stop)


def _messages() -> None:
    session, conversation = page_session(), chat_state.chat_page().item
    place = chat_view.evidence_place(conversation)
    if conversation is not None:
        chat_view.messages(conversation, place)
    else:
        chat_state.chat_page().announce_end("", under_way=False)  # drawn before its text changes
        if session.report is None and not session.searching:
            video_picker.welcome(asking.ask)
    if not place:
        with st.container(key="found-place"):
            if session.asked and (session.report is not None or session.searching):
                st.markdown(f"## {md(session.asked, 300)}", anchors=False)
            results.evidence()


def _claims() -> None:
    """Draw the claims of the video: the choice of claims, then their checks against the web, along the length of the video."""
    page = claims_state.claims_page()
    run = page.attach()
    with frame.zones(beside=True) as (main, aside):
        with main, frame.tabs():
            page.show_problem()
            if run is not None:
                claims_view.view(run)
            elif (video := page_session().video) is not None:
                claims_picker.choosing(video)
        with aside:
            video_panel()


for script in ("chat", "claims"):
    frame.add_script(f"{script}.js", key=f"{script}-script")
with frame.whole():
    address.apply()
    if page_session().tab and (page_session().video is not None or st.query_params.get("claims")):
        _claims()
    else:
        _thread()
