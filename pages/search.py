"""검색: a question about a video becomes ranked results, each with its source and its moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import address, asking, frame, handing_on, opening, searching, services
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.progress import progress
from pages.parts.rescoring import rescoring
from pages.parts.results import results
from pages.parts.video_panel import video_panel

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


def page() -> None:
    """Draw the three zones: controls, question with results, video."""
    frame.zones(_zones)


def _zones(main: DeltaGenerator, aside: DeltaGenerator) -> None:
    address.take_over()
    session = page_session()
    searching.ask_handed_over()
    session.settle()
    if session.job is not None and session.searching:
        session.job.wait_for_results(searching.QUICK_S)
        session.settle()
    with main:
        asking.question_box()
        services.core()  # from here on the page needs it; the box above is there before it
        if session.notice:
            st.info(md(session.notice), icon=":material/info:")
        asking.examples()
        progress()
        rescoring()
        handing_on.next_steps()
        results()
    with aside:
        video_panel()
    with main:
        if session.video is None and session.report is None and not session.searching:
            opening.welcome()


page()
