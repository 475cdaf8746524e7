"""검색: a question about a video becomes ranked results, each with its source and its moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import asking, frame, opening, searching, services
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.progress import progress
from pages.parts.results import results
from pages.parts.video_panel import video_panel

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


def page() -> None:
    """Draw the three zones: controls, question with results, video."""
    frame.zones(_zones)


def _zones(main: DeltaGenerator, aside: DeltaGenerator) -> None:
    searching.reattach()
    here = page_session()
    if here.job is not None:
        here.job.wait(searching.QUICK_S)
    here.settle()
    with main:
        asking.question_box()
        services.core()  # from here on the page needs it; the box above is there before it
        if here.notice:
            st.info(md(here.notice), icon=":material/info:")
        asking.examples()
        progress()
        results()
    with aside:
        video_panel()
    with main:
        if here.video is None and here.report is None and not here.searching:
            opening.welcome()


page()
