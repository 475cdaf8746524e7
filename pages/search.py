"""검색: a question about a video becomes ranked results, each with its source and its moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import address, frame, next_steps, question_box, search_actions, services, video_picker
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.progress import progress
from pages.parts.rescore import rescoring
from pages.parts.results import results
from pages.parts.video_panel import video_panel

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


def page() -> None:
    """Draw the three zones: controls, question with results, video."""
    frame.zones(_zones)


def _zones(main: DeltaGenerator, aside: DeltaGenerator) -> None:
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
        question_box.examples()
        progress()
        rescoring()
        next_steps.next_steps()
        results()
    with aside:
        video_panel()
    with main:
        if session.video is None and session.report is None and not session.searching:
            video_picker.welcome()


page()
