"""The answer line over the results: the sentence of one of them that answers, looked for beside the page."""

from __future__ import annotations

from concurrent.futures import wait
from functools import partial

import streamlit as st

from pages.parts import labels, services, video_panel
from pages.parts.escaping import link, md
from pages.parts.page_session import page_session
from search_core.domain import SearchReport
from search_core.runtime import run_in_thread

AT_ONCE_S = 0.3
"""A line that is found within this is drawn with the results; another one has its place kept, so that nothing moves for it."""
POLL_S = 0.4
_LATE = "answer-line-late"


def answer_line(report: SearchReport) -> None:
    """Draw the line of the results in sight, or nothing where none surely answers; *report* is placed as the controls stand."""
    session = page_session()
    if session.report is None:
        return
    if session.answer is None or session.answer[0] is not session.report:
        found = run_in_thread(partial(services.core().answer_line, session.report), "maekrak-answer-line")
        session.answer = session.report, found
        st.session_state[_LATE] = not wait([found], timeout=AT_ONCE_S).done
    late = st.session_state.get(_LATE, False)
    with st.container(key="answer-line-late" if late else "answer-line"):
        if late and not session.answer[1].done():
            st.fragment(_await, run_every=POLL_S)()
        elif not _draw(report) and late:
            st.caption(labels.NO_ANSWER_LINE)


def _await() -> None:
    answer = page_session().answer
    if answer is None or answer[1].done():
        st.rerun()
    st.caption(labels.ANSWER_LINE_COMING)


def _draw(report: SearchReport) -> bool:
    """Draw the line if there is one whose result is in sight, and return whether there is."""
    answer = page_session().answer
    line = answer[1].result() if answer is not None else None
    number = next((place for place, each in enumerate(report.results, 1) if line is not None and each.url == line.url), 0)
    if line is None or not number:
        return False
    st.markdown(f"**{md(line.sentence, 200)}**")
    with st.container(horizontal=True, vertical_alignment="center", key="answer-source"):
        source = link(line.source, line.url) if line.url.startswith("http") else md(line.source, 60)
        st.markdown(f":small[:gray[{labels.ANSWER_LINE_FROM}] {source}]", width="content")
        st.button(labels.ANSWER_LINE_RESULT.format(number=number), key=f"to-card-{number}", type="tertiary")
        if line.moment_s is not None and page_session().video is not None:
            video_panel.moment_button(line.moment_s, "moment-answer", quote="")
    return True
